import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Guava.java - how long a key takes in Guava: the other side of `bench_foreign
 * ask`, with its keys.
 *
 *     java -cp guava.jar Guava.java FILE ADDED KEYS LOOKUPS
 *
 * It makes a filter of ADDED keys for 1 %, writes it to FILE and prints "ready".
 * For each line on standard input it asks for LOOKUPS keys, and prints
 * nanoseconds a key, of the thread's own time, and how many were seen.
 */
public class Guava {
    private static String text(long number) {
        String digits = Long.toString(number);
        return "key" + "0".repeat(22 - digits.length()) + digits;
    }

    private static long ask(BloomFilter<CharSequence> filter, String[] keys,
                            long lookups) {
        long seen = 0;
        int from = 0;
        for (long done = 0; done < lookups; done++) {
            seen += filter.mightContain(keys[from]) ? 1 : 0;
            from = from + 1 == keys.length ? 0 : from + 1;
        }
        return seen;
    }

    public static void main(String[] words) throws Exception {
        long added = Long.parseLong(words[1]), lookups = Long.parseLong(words[3]);
        String[] keys = new String[Integer.parseInt(words[2])];
        BloomFilter<CharSequence> filter = BloomFilter.create(
            Funnels.stringFunnel(StandardCharsets.UTF_8), added, 0.01);
        for (long i = 0; i < added; i++) {
            filter.put(text(i));
        }
        try (OutputStream out = new FileOutputStream(words[0])) {
            filter.writeTo(out);
        }
        for (int i = 0; i < keys.length; i++) {
            keys[i] = text(i % 2 == 0 ? i / 2 * 7919L % added : added + i);
        }
        var clock = ManagementFactory.getThreadMXBean();
        var in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        while (in.readLine() != null) {
            long start = clock.getCurrentThreadCpuTime();
            long seen = ask(filter, keys, lookups);
            double ns = clock.getCurrentThreadCpuTime() - start;
            System.out.println(
                String.format(Locale.ROOT, "%.2f %d", ns / lookups, seen));
        }
    }
}
