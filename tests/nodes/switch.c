/*
 * switch.c - a network of made-up hosts: a virtual Ethernet switch that delays and loses frames.
 *
 *   switch DELAY LOSS PID...    one-way delay in microseconds, lost frames in a million
 *
 * In the network namespace of each process it makes an interface eth0 and is what its cable leads
 * to: no bridge, no kernel module, and all is gone when it ends. Host k (from 1 on) must have an
 * Ethernet address that ends in k. Says "ready" when all interfaces are there. Needs root.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
    FRAME_MOST = 9216, /* bytes: a jumbo frame */
    QUEUE = 1 << 13,   /* frames under way at most; more are lost, as in any switch */
    HOSTS_MOST = 64,
    BURST = 64,          /* frames taken from a host before the next one has its turn */
    LAST_OF_ADDRESS = 5, /* byte of a frame: its receiver's host */
    MANY_RECEIVERS = 1   /* bit of its first byte */
};

struct frame {
    uint64_t due; /* nanoseconds */
    int from;
    size_t n;
    unsigned char bytes[FRAME_MOST];
};

static struct frame *queue;
static size_t first, after_last; /* frames passed on, frames accepted */
static struct pollfd hosts[HOSTS_MOST];
static int nhosts;
static uint64_t delay, million_lost, lost, full;

static void die(const char *what)
{
    fprintf(stderr, "switch: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* An interface belongs to the namespace that its maker is in. */
static int plug_in(const char *pid)
{
    char path[64];
    struct ifreq interface = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    snprintf(path, sizeof path, "/proc/%s/ns/net", pid);
    const int space = open(path, O_RDONLY | O_CLOEXEC);
    if (space < 0 || setns(space, CLONE_NEWNET) != 0)
        die(path);
    close(space);
    const int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (tap < 0)
        die("/dev/net/tun");
    memcpy(interface.ifr_name, "eth0", sizeof "eth0");
    if (ioctl(tap, TUNSETIFF, &interface) != 0)
        die("eth0");
    return tap;
}

static void accept_from(int host)
{
    for (int k = 0; k < BURST; k++) {
        struct frame *f = &queue[after_last % QUEUE];
        unsigned char nowhere[FRAME_MOST];
        const int room = after_last - first < QUEUE;
        const ssize_t n = read(hosts[host].fd, room ? f->bytes : nowhere, FRAME_MOST);
        if (n <= 0)
            return;
        full += !room;
        if (!room)
            continue;
        if ((uint64_t)random() % 1000000 < million_lost) {
            lost++;
            continue;
        }
        f->due = now() + delay;
        f->from = host;
        f->n = (size_t)n;
        after_last++;
    }
}

static void pass_on(const struct frame *f)
{
    for (int p = 0; p < nhosts; p++) {
        const int wanted =
            f->bytes[0] & MANY_RECEIVERS ? p != f->from : f->bytes[LAST_OF_ADDRESS] == p + 1;
        if (wanted && write(hosts[p].fd, f->bytes, f->n) < 0 && errno != EAGAIN && errno != EIO)
            die("write");
    }
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc - 3 > HOSTS_MOST) {
        fprintf(stderr, "usage: switch DELAY_US LOST_IN_A_MILLION PID...\n");
        return 2;
    }
    delay = strtoull(argv[1], NULL, 10) * 1000;
    million_lost = strtoull(argv[2], NULL, 10);
    queue = malloc(QUEUE * sizeof *queue);
    if (!queue)
        die("queue");
    for (nhosts = 0; nhosts < argc - 3; nhosts++)
        hosts[nhosts] = (struct pollfd){.fd = plug_in(argv[3 + nhosts]), .events = POLLIN};
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        struct timespec wait = {.tv_sec = 1};
        for (; first < after_last; first++) {
            const uint64_t due = queue[first % QUEUE].due, t = now();
            if (due > t) {
                wait = (struct timespec){.tv_nsec = (long)(due - t)};
                break;
            }
            pass_on(&queue[first % QUEUE]);
        }
        if (ppoll(hosts, (nfds_t)nhosts, &wait, NULL) > 0)
            for (int p = 0; p < nhosts; p++)
                if (hosts[p].revents & POLLIN)
                    accept_from(p);
    }
}
