// Closed tours by merging loops, as programs for sides divisible by 4 do it: each 4x4 block is four loops of four
// squares; two loops that pass side by side become one, at random places, until one is left. Counts different tours.
// javac LoopMerging.java && java LoopMerging 8 100000
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;

public class LoopMerging {
    static int n;
    static int[][] beside;  // beside[s]: the two neighbours of s in its loop
    static int[] loop;
    static int[][] near;

    static void replace(int s, int old, int now) { beside[s][beside[s][0] == old ? 0 : 1] = now; }

    static int mark(int first, int name) {
        int before = first, here = beside[first][0], length = 1;
        loop[first] = name;
        while (here != first) {
            loop[here] = name;
            int next = beside[here][0] == before ? beside[here][1] : beside[here][0];
            before = here;
            here = next;
            length++;
        }
        return length;
    }

    static boolean areNear(int a, int b) {
        for (int s : near[a]) if (s == b) return true;
        return false;
    }

    static void start() {
        // The two squares and the two diamonds of a 4x4 block, as cycles of (row, column).
        int[][][] cycles = {
            {{0, 0}, {1, 2}, {3, 3}, {2, 1}}, {{0, 3}, {1, 1}, {3, 0}, {2, 2}},
            {{0, 1}, {2, 0}, {3, 2}, {1, 3}}, {{0, 2}, {1, 0}, {3, 1}, {2, 3}}};
        int name = 0;
        for (int r = 0; r < n; r += 4)
            for (int c = 0; c < n; c += 4)
                for (int[][] cycle : cycles) {
                    for (int k = 0; k < 4; k++) {
                        int s = (r + cycle[k][0]) * n + c + cycle[k][1];
                        int[] after = cycle[(k + 1) % 4], earlier = cycle[(k + 3) % 4];
                        beside[s][0] = (r + after[0]) * n + c + after[1];
                        beside[s][1] = (r + earlier[0]) * n + c + earlier[1];
                        loop[s] = name;
                    }
                    name++;
                }
    }

    static void tour(Random random) {
        start();
        int loops = n * n / 4, fails = 0;
        while (loops > 1) {
            // Where no two loops pass side by side any more, start again.
            if (++fails > 20 * n * n) {
                start();
                loops = n * n / 4;
                fails = 0;
            }
            int a = random.nextInt(n * n), b = beside[a][random.nextInt(2)];
            int c = near[a][random.nextInt(near[a].length)];
            if (loop[c] == loop[a]) continue;
            int d = beside[c][random.nextInt(2)];
            if (!areNear(b, d)) continue;
            // Moves a-b and c-d become a-c and b-d.
            replace(a, b, c); replace(c, d, a); replace(b, a, d); replace(d, c, b);
            mark(a, loop[a]);
            loops--;
            fails = 0;
        }
        if (mark(0, 0) != n * n) throw new IllegalStateException("not one loop");
    }

    public static void main(String[] words) {
        n = Integer.parseInt(words[0]);
        int wanted = Integer.parseInt(words[1]);
        beside = new int[n * n][2];
        loop = new int[n * n];
        near = new int[n * n][];
        for (int a = 0; a < n * n; a++) {
            int[] found = new int[8];
            int count = 0;
            for (int b = 0; b < n * n; b++)
                if (Math.abs(a / n - b / n) * Math.abs(a % n - b % n) == 2) found[count++] = b;
            near[a] = Arrays.copyOf(found, count);
        }
        Random random = new Random(1);
        HashSet<String> seen = new HashSet<>();
        while (seen.size() < wanted) {
            tour(random);
            StringBuilder key = new StringBuilder();
            for (int[] pair : beside) key.append((char) Math.min(pair[0], pair[1])).append((char) Math.max(pair[0], pair[1]));
            seen.add(key.toString());
        }
        System.out.println(seen.size() + " different tours");
    }
}
