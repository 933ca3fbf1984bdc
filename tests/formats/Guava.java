import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Guava.java - filters that Guava writes: seenset must answer as Guava does for
 * each key, with every funnel and both strategies; and a filter to which both
 * add the same keys has the same bytes.
 *
 *     java -cp guava.jar Guava.java SEENSET FOLDER
 */
public class Guava {
    private static final int ASKED = 4000;
    private static String seenset;
    private static Path folder;

    /** A funnel: its name for seenset, and its keys as lines. */
    private record Kind<T>(String name, Funnel<? super T> funnel,
                           List<String> lines, Function<String, T> read) { }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    /** What the command prints; it must say nothing else. */
    private static List<String> run(List<String> lines, String... words)
            throws IOException, InterruptedException {
        Path in = folder.resolve("keys"), out = folder.resolve("out");
        Path err = folder.resolve("err");
        List<String> all = new ArrayList<>(List.of(seenset));
        all.addAll(List.of(words));
        Files.write(in, lines, StandardCharsets.UTF_8);
        int status = new ProcessBuilder(all).redirectInput(in.toFile())
            .redirectOutput(out.toFile()).redirectError(err.toFile())
            .start().waitFor();
        check(Files.size(err) == 0 && status <= 1, Files.readString(err));
        return Files.readAllLines(out, StandardCharsets.UTF_8);
    }

    private static byte[] bytesOf(BloomFilter<?> filter) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        filter.writeTo(out);
        return out.toByteArray();
    }

    private static <T> BloomFilter<T> read(byte[] bytes, Kind<T> kind)
            throws IOException {
        InputStream in = new ByteArrayInputStream(bytes);
        return BloomFilter.readFrom(in, cast(kind.funnel));
    }

    @SuppressWarnings("unchecked")
    private static <T> Funnel<T> cast(Funnel<? super T> funnel) {
        return (Funnel<T>) funnel;
    }

    /** An empty filter: Guava makes none of the older strategy any more. */
    private static <T> BloomFilter<T> make(Kind<T> kind, int strategy, int n,
                                           double rate) throws IOException {
        BloomFilter<T> made = BloomFilter.create(cast(kind.funnel), n, rate);
        byte[] bytes = bytesOf(made);
        check(bytes[0] == 1, "Guava makes filters of strategy 1");
        bytes[0] = (byte) strategy;
        return read(bytes, kind);
    }

    private static <T> void add(BloomFilter<T> to, Kind<T> kind, int first,
                                int end) {
        for (String line : kind.lines.subList(first, end)) {
            to.put(kind.read.apply(line));
        }
    }

    private static <T> List<String> seen(BloomFilter<T> by, Kind<T> kind) {
        return kind.lines.stream()
            .filter(line -> by.mightContain(kind.read.apply(line))).toList();
    }

    /**
     * A filter for n keys, of which it has two thirds, in the hands of seenset;
     * and then, with a few more that seenset has added, in those of Guava.
     */
    private static <T> void compare(Kind<T> kind, int strategy, int n,
                                    double rate) throws Exception {
        int added = n * 2 / 3, end = n * 9 / 10;
        Path path = folder.resolve("a.guava");
        BloomFilter<T> made = make(kind, strategy, n, rate);
        add(made, kind, 0, added);
        Files.write(path, bytesOf(made));
        List<String> expected = seen(made, kind);
        List<String> found = run(kind.lines, "has", "--funnel", kind.name,
                                 path.toString());
        check(found.equals(expected), kind.name + ": other answers");
        check(expected.size() >= added, kind.name + ": a key was lost");

        run(kind.lines.subList(n / 2, end), "add", "--funnel", kind.name,
            path.toString());
        byte[] written = Files.readAllBytes(path);
        check(!Arrays.equals(written, bytesOf(made)), "planted: not the same");
        add(made, kind, n / 2, end);
        check(Arrays.equals(written, bytesOf(made)), kind.name + ": bytes");
        check(seen(read(written, kind), kind).equals(seen(made, kind)),
              kind.name + ": Guava reads otherwise what seenset wrote");

        Arrays.fill(written, 6, 106, (byte) 0x55);
        check(!seen(read(written, kind), kind).equals(seen(made, kind)),
              "planted: damage is not seen");
        System.out.printf("strategy %d, %s, %d at %s: %d of %d seen by both%n",
                          strategy, kind.name, n, rate, expected.size(), ASKED);
    }

    /** A new file of the command, and the union of two, are those of Guava. */
    private static <T> void compareNew(Kind<T> kind) throws Exception {
        Path path = folder.resolve("new"), other = folder.resolve("other");
        for (double rate : new double[] {0.5, 0.03, 0.001, 1e-12}) {
            for (int n : new int[] {1, 7, 1000, 54321}) {
                run(List.of(), "new", "--force", "--format", "guava", "-n",
                    "" + n, "-p", "" + rate, path.toString());
                check(Arrays.equals(Files.readAllBytes(path),
                          bytesOf(BloomFilter.create(kind.funnel, n, rate))),
                      "a new file for " + n + " at " + rate);
            }
        }
        BloomFilter<T> a = make(kind, 1, 1000, 0.01);
        BloomFilter<T> b = make(kind, 1, 1000, 0.01);
        add(a, kind, 0, 400);
        add(b, kind, 300, 700);
        Files.write(path, bytesOf(a));
        Files.write(other, bytesOf(b));
        run(List.of(), "merge", path.toString(), path.toString(),
            other.toString());
        check(!Arrays.equals(Files.readAllBytes(path), bytesOf(a)),
              "planted: nothing was merged");
        a.putAll(b);
        check(Arrays.equals(Files.readAllBytes(path), bytesOf(a)), "a union");
        System.out.println("new files and a union have the same bytes");
    }

    private static List<String> lines(Function<Integer, String> line) {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < ASKED; i++) {
            made.add(line.apply(i));
        }
        return made;
    }

    /** Texts of one to four bytes a character, of any length. */
    private static String text(int i) {
        int count = i % 7 == 6 ? 7 : i % 7; // the last two are one character
        return "k" + i + "\u00e9\u043b\u044e\u0447\u20ac\ud83d\ude00"
            .substring(0, count) + "x".repeat(i % 40);
    }

    public static void main(String[] words) throws Exception {
        seenset = words[0];
        folder = Path.of(words[1]);
        List<Kind<?>> kinds = List.of(
            new Kind<CharSequence>("utf8",
                Funnels.stringFunnel(StandardCharsets.UTF_8),
                lines(Guava::text), line -> line),
            new Kind<CharSequence>("utf16", Funnels.unencodedCharsFunnel(),
                lines(Guava::text), line -> line),
            new Kind<byte[]>("bytes", Funnels.byteArrayFunnel(),
                lines(Guava::text),
                line -> line.getBytes(StandardCharsets.UTF_8)),
            new Kind<Integer>("int", Funnels.integerFunnel(),
                lines(i -> "" + (i % 3 == 0 ? -i : i * 500009)),
                Integer::valueOf),
            new Kind<Long>("long", Funnels.longFunnel(),
                lines(i -> "" + (i % 3 == 0 ? -i : i * 0x123456789abcL)),
                Long::valueOf));
        for (Kind<?> kind : kinds) {
            for (int strategy = 0; strategy <= 1; strategy++) {
                compare(kind, strategy, 1000, 0.01);
            }
        }
        compareNew(kinds.get(0));
        compare(kinds.get(0), 1, 300, 1e-9); // many bits a key
    }
}
