/*
 * One run of LMDB for Coppice's benchmarks: the same phases, in the same order, as those of the
 * engines in Java (class EngineRun), told in the same form: lines of a name and a number.
 *
 * lmdb_bench DIRECTORY KEYS MISSES COUNT PROBES WORKLOAD FLAGS RUN PIECE
 *   KEYS, MISSES  files: a count of four bytes, then per key a length of two and the bytes
 *   FLAGS         0, or 1 for MDB_NOSYNC | MDB_WRITEMAP
 *   RUN           sort every RUN keys before they are put; 0 = never
 *   PIECE         1 = commit before a transaction has so many dirty pages that it spills
 */
#include <lmdb.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* A stock LMDB spills at 131,071 dirty pages. */
#define MOST_PAGES 120000
#define MOST_PUTS 100000

/* As in classes Stalls and GetLoad. */
#define STALL_PUTS 1024
#define BATCH 65536
#define GETS 1024
#define PICKED 1048576
#define REST_SECONDS 1.5

typedef struct {
  const unsigned char *bytes;
  uint32_t length;
} Key;

typedef struct {
  Key *keys;
  size_t count;
  size_t bytes;
} Keys;

typedef struct {
  double wall, cpu, written;
} Moment;

static MDB_env *env;
static MDB_dbi dbi;
static MDB_txn *txn;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static void must(int code, const char *what) {
  if (code != 0) {
    fail(what, mdb_strerror(code));
  }
}

/* ---- measuring ---- */

/* A number from a file of /proc/self; 0 where there is none. */
static double proc_number(const char *file, const char *name) {
  FILE *in = fopen(file, "r");
  char line[128];
  double number = 0;
  if (in == NULL) {
    return 0;
  }
  while (fgets(line, sizeof line, in) != NULL) {
    if (strncmp(line, name, strlen(name)) == 0) {
      number = strtod(line + strlen(name), NULL);
    }
  }
  fclose(in);
  return number;
}

static Moment now(void) {
  struct timespec clock;
  struct rusage use;
  Moment m;
  clock_gettime(CLOCK_MONOTONIC, &clock);
  getrusage(RUSAGE_SELF, &use);
  m.wall = clock.tv_sec + clock.tv_nsec / 1e9;
  m.cpu = use.ru_utime.tv_sec + use.ru_stime.tv_sec +
          (use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
  m.written = proc_number("/proc/self/io", "write_bytes:");
  return m;
}

static void tell(const char *phase, Moment from) {
  Moment to = now();
  printf("%s_s %.9f\n%s_cpu_s %.6f\n", phase, to.wall - from.wall, phase, to.cpu - from.cpu);
  if (strcmp(phase, "put") == 0) {
    printf("put_written_bytes %.0f\n", to.written - from.written);
  }
}

static double last_stamp, longest_stall;

/* Keeps the longest time between two calls: no put can have stood still for longer. */
static void stamp(void) {
  struct timespec clock;
  double now;
  clock_gettime(CLOCK_MONOTONIC, &clock);
  now = clock.tv_sec + clock.tv_nsec / 1e9;
  if (last_stamp != 0 && now - last_stamp > longest_stall) {
    longest_stall = now - last_stamp;
  }
  last_stamp = now;
}

/* ---- keys ---- */

static Keys read_keys(const char *path, size_t most) {
  FILE *file = fopen(path, "rb");
  unsigned char *bytes, *p;
  long size;
  Keys all;
  size_t i;
  if (file == NULL) {
    fail(path, "cannot be read");
  }
  fseek(file, 0, SEEK_END);
  size = ftell(file);
  rewind(file);
  bytes = malloc(size);
  if (bytes == NULL || fread(bytes, 1, size, file) != (size_t)size) {
    fail(path, "cannot be read whole");
  }
  fclose(file);
  all.count = (size_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
  all.count = all.count < most ? all.count : most;
  all.keys = malloc(all.count * sizeof(Key) + 1);
  all.bytes = 0;
  for (p = bytes + 4, i = 0; i < all.count; i++) {
    all.keys[i].length = p[0] << 8 | p[1];
    all.keys[i].bytes = p + 2;
    all.bytes += all.keys[i].length;
    p += 2 + all.keys[i].length;
  }
  return all;
}

static uint64_t next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state >> 33;
}

/* Random keys of the first of those given, side by side in memory as the misses are. */
static Keys pick(Keys from, size_t first, size_t count) {
  uint64_t state = 1;
  Keys picked = {malloc(count * sizeof(Key) + 1), count, 0};
  size_t i;
  unsigned char *bytes;
  for (i = 0; i < count; i++) {
    picked.keys[i] = from.keys[next_random(&state) % first];
    picked.bytes += picked.keys[i].length;
  }
  bytes = malloc(picked.bytes + 1);
  for (i = 0; i < count; i++) {
    memcpy(bytes, picked.keys[i].bytes, picked.keys[i].length);
    picked.keys[i].bytes = bytes;
    bytes += picked.keys[i].length;
  }
  return picked;
}

/* ---- caching multikey quicksort (Bentley and Sedgewick; Ng and Kakehi): eight bytes at a time */

typedef struct {
  uint64_t cache;
  Key key;
} Item;

/* Seven bytes and, lowest, how many of them the key has: a key that ends is below all longer. */
static uint64_t cache_of(Key key, uint32_t depth) {
  uint64_t word = 0;
  uint32_t left = key.length > depth ? key.length - depth : 0, i;
  for (i = 0; i < 7; i++) {
    word = word << 8 | (i < left ? key.bytes[depth + i] : 0);
  }
  return word << 8 | (left < 8 ? left : 8);
}

static void swap_items(Item *a, Item *b) {
  Item t = *a;
  *a = *b;
  *b = t;
}

static int item_order(const Item *a, const Item *b, uint32_t depth) {
  uint32_t least;
  int order;
  if (a->cache != b->cache || (a->cache & 255) < 8) {
    return a->cache < b->cache ? -1 : a->cache > b->cache;
  }
  depth += 7;
  least = (a->key.length < b->key.length ? a->key.length : b->key.length) - depth;
  order = memcmp(a->key.bytes + depth, b->key.bytes + depth, least);
  return order != 0 ? order : a->key.length < b->key.length ? -1 : 1;
}

static void insertion_sort(Item *a, size_t n, uint32_t depth) {
  size_t i, j;
  for (i = 1; i < n; i++) {
    Item item = a[i];
    for (j = i; j > 0 && item_order(&item, &a[j - 1], depth) < 0; j--) {
      a[j] = a[j - 1];
    }
    a[j] = item;
  }
}

static void sort_items(Item *a, size_t n, uint32_t depth) {
  while (n > 16) {
    uint64_t x = a[n / 4].cache, y = a[n / 2].cache, z = a[n - n / 4].cache, pivot;
    size_t low = 0, i = 0, high = n;
    pivot = x < y ? (y < z ? y : x < z ? z : x) : (x < z ? x : y < z ? z : y);
    while (i < high) {
      if (a[i].cache < pivot) {
        swap_items(&a[low++], &a[i++]);
      } else if (a[i].cache > pivot) {
        swap_items(&a[i], &a[--high]);
      } else {
        i++;
      }
    }
    sort_items(a, low, depth);
    if ((pivot & 255) == 8) {
      for (i = low; i < high; i++) {
        a[i].cache = cache_of(a[i].key, depth + 7);
      }
      sort_items(a + low, high - low, depth + 7);
    }
    a += high;
    n -= high;
  }
  insertion_sort(a, n, depth);
}

static void sort_keys(Key *keys, size_t n) {
  Item *items = malloc(n * sizeof(Item) + 1);
  size_t i;
  for (i = 0; i < n; i++) {
    items[i].key = keys[i];
    items[i].cache = cache_of(keys[i], 0);
  }
  sort_items(items, n, 0);
  for (i = 0; i < n; i++) {
    keys[i] = items[i].key;
  }
  free(items);
}

static void reverse(Keys keys) {
  size_t i;
  for (i = 0; i < keys.count / 2; i++) {
    Key t = keys.keys[i];
    keys.keys[i] = keys.keys[keys.count - 1 - i];
    keys.keys[keys.count - 1 - i] = t;
  }
}

/* ---- the database ---- */

static void open_env(const char *directory, int flags, size_t key_bytes, size_t count) {
  must(mdb_env_create(&env), "mdb_env_create");
  must(mdb_env_set_mapsize(env, (size_t)1 << 30 | (key_bytes + count * 16) * 8), "mapsize");
  must(mdb_env_open(env, directory, flags ? MDB_NOSYNC | MDB_WRITEMAP : 0, 0600), directory);
}

static void begin(int flags) {
  must(mdb_txn_begin(env, NULL, flags, &txn), "mdb_txn_begin");
  must(mdb_dbi_open(txn, NULL, 0, &dbi), "mdb_dbi_open");
}

static void put(Key key) {
  MDB_val k = {key.length, (void *)key.bytes}, v = {0, ""};
  must(mdb_put(txn, dbi, &k, &v, 0), "mdb_put");
}

static int get(Key key) {
  MDB_val k = {key.length, (void *)key.bytes}, v;
  return mdb_get(txn, dbi, &k, &v) == 0;
}

static size_t scan(void) {
  MDB_cursor *cursor;
  MDB_val k, v;
  size_t n = 0;
  must(mdb_cursor_open(txn, dbi, &cursor), "mdb_cursor_open");
  while (mdb_cursor_get(cursor, &k, &v, MDB_NEXT) == 0) {
    n++;
  }
  mdb_cursor_close(cursor);
  return n;
}

static size_t pages(void) {
  MDB_stat s;
  must(mdb_stat(txn, dbi, &s), "mdb_stat");
  return s.ms_branch_pages + s.ms_leaf_pages + s.ms_overflow_pages;
}

static void put_in_pieces(Keys keys) {
  size_t i, in_piece = 0;
  int first = 1;
  for (i = 0; i < keys.count; i++) {
    if (i % STALL_PUTS == 0) {
      stamp();
    }
    put(keys.keys[i]);
    in_piece++;
    if (first ? in_piece % 4096 == 0 && pages() > MOST_PAGES : in_piece >= MOST_PUTS) {
      must(mdb_txn_commit(txn), "mdb_txn_commit");
      begin(0);
      in_piece = 0;
      first = 0;
    }
  }
}

static void put_and_get(Keys keys) {
  uint64_t state = 1;
  size_t i, hits = 0;
  for (i = 0; i < keys.count; i++) {
    if (i % STALL_PUTS == 0) {
      stamp();
    }
    put(keys.keys[i]);
    hits += get(keys.keys[next_random(&state) % (i + 1)]);
  }
  if (hits != keys.count) {
    fail("get", "a key that was put is missing");
  }
}

static void put_each_alone(Keys keys) {
  size_t i;
  must(mdb_txn_commit(txn), "mdb_txn_commit");
  for (i = 0; i < keys.count; i++) {
    if (i % STALL_PUTS == 0) {
      stamp();
    }
    must(mdb_txn_begin(env, NULL, 0, &txn), "mdb_txn_begin");
    put(keys.keys[i]);
    must(mdb_txn_commit(txn), "mdb_txn_commit");
  }
  begin(0);
}

static void put_all(Keys keys, size_t run) {
  size_t i, sorted = 0;
  for (i = 0; i < keys.count; i++) {
    if (run != 0 && i == sorted) {
      sorted += run < keys.count - i ? run : keys.count - i;
      sort_keys(keys.keys + i, sorted - i);
    }
    if (i % STALL_PUTS == 0) {
      stamp();
    }
    put(keys.keys[i]);
  }
}

/* ---- gets beside a load: see class GetLoad ---- */

typedef struct {
  Keys keys;
  double seconds; /* how long at most; 0 = until done */
  volatile int done;
  double rate;
} Gets;

static void *get_some(void *argument) {
  Gets *gets = argument;
  MDB_txn *view;
  MDB_val k, v;
  double begin = now().wall, end = begin;
  size_t n = 0, i;
  must(mdb_txn_begin(env, NULL, MDB_RDONLY, &view), "mdb_txn_begin");
  do {
    mdb_txn_reset(view);
    must(mdb_txn_renew(view), "mdb_txn_renew");
    for (i = 0; i < GETS; i++, n++) {
      Key key = gets->keys.keys[n % gets->keys.count];
      k.mv_size = key.length;
      k.mv_data = (void *)key.bytes;
      must(mdb_get(view, dbi, &k, &v), "mdb_get");
    }
    end = now().wall;
  } while (!gets->done && (gets->seconds == 0 || end - begin < gets->seconds));
  mdb_txn_abort(view);
  gets->rate = n / (end - begin);
  return NULL;
}

static pthread_t start_gets(Gets *gets) {
  pthread_t thread;
  must(pthread_create(&thread, NULL, get_some, gets), "pthread_create");
  return thread;
}

static void tell_rest(const char *name, Gets *gets, size_t count) {
  gets->done = 0;
  gets->seconds = count < REST_SECONDS * 1e6 ? count / 1e6 : REST_SECONDS;
  must(pthread_join(start_gets(gets), NULL), "pthread_join");
  printf("%s %.3f\n", name, gets->rate);
}

static void put_in_batches(Keys keys, size_t from, size_t to) {
  size_t i;
  for (i = from; i < to; i++) {
    if (i > from && (i - from) % BATCH == 0) {
      must(mdb_txn_commit(txn), "mdb_txn_commit");
      must(mdb_txn_begin(env, NULL, 0, &txn), "mdb_txn_begin");
    }
    put(keys.keys[i]);
  }
  must(mdb_txn_commit(txn), "mdb_txn_commit");
}

static void get_while_loading(Keys keys) {
  size_t half = (keys.count + 1) / 2;
  Gets gets = {pick(keys, half, half < PICKED ? half : PICKED), 0, 0, 0};
  pthread_t thread;
  Moment from;
  put_in_batches(keys, 0, half);
  tell_rest("gets_before_per_s", &gets, keys.count);
  from = now();
  gets.done = 0;
  gets.seconds = 0;
  thread = start_gets(&gets);
  must(mdb_txn_begin(env, NULL, 0, &txn), "mdb_txn_begin");
  put_in_batches(keys, half, keys.count);
  gets.done = 1;
  must(pthread_join(thread, NULL), "pthread_join");
  tell("put", from);
  printf("gets_in_load_per_s %.3f\n", gets.rate);
  tell_rest("gets_after_per_s", &gets, keys.count);
  begin(0);
}

/* ---- phases ---- */

static void put_phase(Keys keys, const char *workload, size_t run, int piece) {
  Moment from = now();
  if (strcmp(workload, "getload") == 0) {
    get_while_loading(keys);
    return;
  }
  last_stamp = longest_stall = 0;
  if (strcmp(workload, "putget") == 0) {
    put_and_get(keys);
  } else if (strcmp(workload, "single") == 0) {
    put_each_alone(keys);
  } else if (piece) {
    put_in_pieces(keys);
  } else {
    put_all(keys, run);
  }
  stamp();
  if (strcmp(workload, "putscan") == 0 && scan() != keys.count) {
    fail("scan", "wrong number of keys");
  }
  tell("put", from);
  printf("put_stall_s %.9f\n", longest_stall);
}

static void commit_phase(void) {
  Moment from = now();
  must(mdb_txn_commit(txn), "mdb_txn_commit");
  must(mdb_env_sync(env, 1), "mdb_env_sync");
  tell("commit", from);
}

static size_t find_phase(const char *phase, Keys keys) {
  Moment from = now();
  size_t i, hits = 0;
  for (i = 0; i < keys.count; i++) {
    hits += get(keys.keys[i]);
  }
  tell(phase, from);
  return hits;
}

static void read_phases(Keys keys, Keys hits, Keys misses) {
  Moment from = now();
  if (scan() != keys.count) {
    fail("scan", "wrong number of keys");
  }
  tell("scan", from);
  if (find_phase("hits", hits) != hits.count || find_phase("misses", misses) != 0) {
    fail("get", "wrong number of hits");
  }
}

static void tell_size(void) {
  MDB_envinfo info;
  MDB_stat s;
  must(mdb_env_info(env, &info), "mdb_env_info");
  must(mdb_stat(txn, dbi, &s), "mdb_stat");
  printf("disk_bytes %zu\n", (info.me_last_pgno + 1) * s.ms_psize);
  /* Not ru_maxrss: that also counts the parent, before this program took its place. */
  printf("peak_rss_bytes %.0f\n", proc_number("/proc/self/status", "VmHWM:") * 1024);
}

int main(int argc, char **argv) {
  Keys keys, misses, hits;
  Moment from;
  int flags;
  if (argc != 10) {
    fail("lmdb_bench", "nine arguments needed");
  }
  keys = read_keys(argv[2], strtoul(argv[4], NULL, 10));
  misses = read_keys(argv[3], strtoul(argv[5], NULL, 10));
  hits = pick(keys, keys.count, misses.count);
  flags = atoi(argv[7]);
  if (strcmp(argv[6], "ascending") == 0 || strcmp(argv[6], "descending") == 0) {
    sort_keys(keys.keys, keys.count);
    if (argv[6][0] == 'd') {
      reverse(keys);
    }
  }
  open_env(argv[1], flags, keys.bytes, keys.count);
  begin(0);
  if (strcmp(argv[6], "again") == 0) {
    put_all(keys, 0);
    must(mdb_txn_commit(txn), "mdb_txn_commit");
    must(mdb_env_sync(env, 1), "mdb_env_sync");
    begin(0);
    reverse(keys);
  }
  put_phase(keys, argv[6], strtoul(argv[8], NULL, 10), atoi(argv[9]));
  commit_phase();
  from = now();
  mdb_env_close(env);
  tell("close", from);
  from = now();
  open_env(argv[1], flags, keys.bytes, keys.count);
  begin(MDB_RDONLY);
  if (misses.count != 0) {
    tell("reopen", from);
    read_phases(keys, hits, misses);
  }
  tell_size();
  mdb_txn_abort(txn);
  mdb_env_close(env);
  printf("version %d.%d.%d\n", MDB_VERSION_MAJOR, MDB_VERSION_MINOR, MDB_VERSION_PATCH);
  return 0;
}
