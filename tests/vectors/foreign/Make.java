import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Make.java - guava.bloom, guava-32.bloom and guava-full.bloom in this folder, by
 * Guava 31.1 of Debian: 500 keys "key 0" to "key 499" in filters for 1,000 at
 * 1e-4, as UTF-8 and MURMUR128_MITZ_64, and as UTF-16 and MURMUR128_MITZ_32,
 * which Guava reads and adds to, and makes no more; and the numbers 0 to 499 in
 * a filter for 100 at 0.01.
 *
 *     java -cp /usr/share/java/guava.jar Make.java FOLDER
 */
public class Make {
    private static void fill(BloomFilter<CharSequence> made, Path path)
            throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < 500; i++) {
            made.put("key " + i);
        }
        made.writeTo(out);
        Files.write(path, out.toByteArray());
    }

    public static void main(String[] words) throws Exception {
        Path folder = Path.of(words[0]);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BloomFilter.<CharSequence>create(Funnels.unencodedCharsFunnel(), 1000,
                                         1e-4).writeTo(out);
        byte[] bytes = out.toByteArray();
        bytes[0] = 0;
        fill(BloomFilter.readFrom(new ByteArrayInputStream(bytes),
                                  Funnels.unencodedCharsFunnel()),
             folder.resolve("guava-32.bloom"));
        fill(BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8),
                                1000, 1e-4), folder.resolve("guava.bloom"));
        BloomFilter<Integer> full =
            BloomFilter.create(Funnels.integerFunnel(), 100, 0.01);
        for (int i = 0; i < 500; i++) {
            full.put(i);
        }
        out.reset();
        full.writeTo(out);
        Files.write(folder.resolve("guava-full.bloom"), out.toByteArray());
    }
}
