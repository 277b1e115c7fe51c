// Warnsdorff's rule as textbooks program it: go to the free square with the fewest free neighbours, ties at random,
// from the same start again until it is a tour. g++ -O2 warnsdorff.cpp -o warnsdorff && ./warnsdorff 128 1
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

static const int DR[8] = {-2, -1, 1, 2, 2, 1, -1, -2}, DC[8] = {1, 2, 2, 1, -1, -2, -2, -1};

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 128, squares = n * n;
    std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
    std::vector<int> step(squares), degree(squares), order(squares);
    auto inside = [n](int r, int c) { return r >= 0 && r < n && c >= 0 && c < n; };
    for (int tries = 1;; tries++) {
        for (int s = 0; s < squares; s++) {
            step[s] = -1;
            degree[s] = 0;
            for (int k = 0; k < 8; k++) degree[s] += inside(s / n + DR[k], s % n + DC[k]);
        }
        int here = 0, made = 0;
        for (;;) {
            step[here] = made;
            order[made++] = here;
            int best = -1, least = 9, ties = 0;
            for (int k = 0; k < 8; k++) {
                const int r = here / n + DR[k], c = here % n + DC[k], next = r * n + c;
                if (!inside(r, c) || step[next] >= 0) continue;
                degree[next]--;
                if (degree[next] < least) least = degree[next], best = next, ties = 1;
                else if (degree[next] == least && random() % ++ties == 0) best = next;
            }
            if (best < 0) break;
            here = best;
        }
        if (made == squares) {
            std::printf("%d tries; from %d to %d\n", tries, order[0], order[squares - 1]);
            return 0;
        }
    }
}
