/* The floor: the least a C program needs for the work of one warm protected read, and what SQLite alone needs for its inserts.
 *
 *   floor serve SOCKET FOLDER ITEMS          answers reads until its standard input ends
 *   floor client SOCKET FRAME COUNT CLIENTS  sends the frame in FILE COUNT times on each connection; prints nanoseconds
 *   floor get SOCKET FRAME                   one frame, one answer, one process
 *   floor spawn COUNT PROGRAM WORDS...       runs a program again and again, its output thrown away; prints nanoseconds
 *   floor pam FOLDER STACK USER COUNT        authenticates with the passcode on its standard input; prints nanoseconds
 *   floor insert FILE ROWS BATCH BYTES       durable inserts into a table found by a 32-byte key; prints nanoseconds
 *
 * A frame is 24 bytes of header with the lengths of its two parts at 12 and 16: the one of docs/formats/protocol.md, so that the
 * same client speaks to the floor's server and to latchkeyd.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <keyutils.h>
#include <poll.h>
#include <pthread.h>
#include <security/pam_appl.h>
#include <sodium.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HEADER = 24, KEY = 32, NAME = 64, METADATA = 120, VALUE = 32, SEAL = 40, REPLY = 200, LIMIT = 1 << 21 };

static void fail(const char *what) {
  fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
  exit(1);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint32_t number(const unsigned char *bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put(unsigned char *bytes, uint32_t value) {
  for (int index = 0; index < 4; index++) bytes[index] = (unsigned char)(value >> (8 * index));
}

/* ---- sockets ---- */

static struct sockaddr_un address_of(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("the socket's path is too long");
  strcpy(address.sun_path, path);
  return address;
}

static int connect_to(const char *path) {
  struct sockaddr_un address = address_of(path);
  int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0 || connect(made, (struct sockaddr *)&address, sizeof address) != 0) fail(path);
  return made;
}

static void send_all(int descriptor, const unsigned char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) fail("send");
    bytes += sent;
    count -= (size_t)sent;
  }
}

/* Reads one whole frame; its length, or 0 where the other side has left. */
static size_t receive_frame(int descriptor, unsigned char *into, size_t room) {
  size_t have = 0, want = HEADER;
  while (have < want) {
    ssize_t got = recv(descriptor, into + have, room - have, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    have += (size_t)got;
    if (want == HEADER && have >= HEADER) want = HEADER + number(into + 12) + number(into + 16);
    if (want > room) fail("a frame is too long");
  }
  return have;
}

/* ---- the server ---- */

static unsigned char hash_key[KEY], metadata_key[KEY];
static key_serial_t item_key;
static const char *store_path;
static int log_file;

static void name_of(uint32_t item, unsigned char *name) {
  memset(name, 'n', NAME);
  put(name, item);
}

static sqlite3 *open_store(const char *path) {
  sqlite3 *store;
  if (sqlite3_open(path, &store) != SQLITE_OK) fail("sqlite3_open");
  if (sqlite3_exec(store, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL", 0, 0, 0) != SQLITE_OK) fail("pragma");
  return store;
}

static void seal(unsigned char *to, size_t count, const unsigned char *key) {
  unsigned char plain[METADATA] = {0};
  randombytes_buf(to, 24);
  crypto_aead_xchacha20poly1305_ietf_encrypt(to + 24, NULL, plain, count, NULL, 0, NULL, to, key);
}

static void fill_store(const char *path, uint32_t items, const unsigned char *value_key) {
  sqlite3 *store = open_store(path);
  sqlite3_stmt *insert;
  sqlite3_exec(store, "CREATE TABLE item(key BLOB PRIMARY KEY, metadata BLOB, value BLOB); BEGIN", 0, 0, 0);
  if (sqlite3_prepare_v2(store, "INSERT INTO item VALUES(?, ?, ?)", -1, &insert, 0) != SQLITE_OK) fail("prepare");
  for (uint32_t item = 0; item < items; item++) {
    unsigned char name[NAME], key[KEY], metadata[METADATA + SEAL], value[VALUE + SEAL];
    name_of(item, name);
    crypto_generichash_blake2b(key, KEY, name, NAME, hash_key, KEY);
    seal(metadata, METADATA, metadata_key);
    seal(value, VALUE, value_key);
    sqlite3_bind_blob(insert, 1, key, KEY, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 2, metadata, sizeof metadata, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 3, value, sizeof value, SQLITE_STATIC);
    if (sqlite3_step(insert) != SQLITE_DONE) fail("insert");
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  sqlite3_exec(store, "COMMIT", 0, 0, 0);
  sqlite3_close(store);
}

static size_t open_sealed(sqlite3_stmt *row, int column, const unsigned char *key, unsigned char *plain) {
  const unsigned char *sealed = sqlite3_column_blob(row, column);
  unsigned long long size = 0;
  if (crypto_aead_xchacha20poly1305_ietf_decrypt(
          plain, &size, NULL, sealed + 24, (unsigned long long)sqlite3_column_bytes(row, column) - 24, NULL, 0, sealed, key) != 0)
    fail("a row does not open");
  return size;
}

static size_t answer(sqlite3_stmt *find, const unsigned char *request, unsigned char *reply) {
  unsigned char hash[KEY], key[KEY], metadata[METADATA], value[VALUE];
  crypto_generichash_blake2b(hash, KEY, request + HEADER, NAME, hash_key, KEY);
  sqlite3_bind_blob(find, 1, hash, KEY, SQLITE_STATIC);
  if (sqlite3_step(find) != SQLITE_ROW) fail("the item is not there");
  open_sealed(find, 0, metadata_key, metadata);
  if (keyctl_read(item_key, (char *)key, KEY) != KEY) fail("keyctl_read");
  open_sealed(find, 1, key, value);
  sqlite3_reset(find);
  char line[160];
  int length = snprintf(
      line, sizeof line, "%llu uid=1000 program=/usr/bin/floor service=com.example.mail method=passcode outcome=allow reason=ok\n",
      (unsigned long long)now());
  if (write(log_file, line, (size_t)length) != length) fail("log");
  memset(reply, 0, HEADER + REPLY);
  put(reply + 12, REPLY - VALUE);
  put(reply + 16, VALUE);
  memcpy(reply + HEADER, metadata, METADATA);
  memcpy(reply + HEADER + REPLY - VALUE, value, VALUE);
  sodium_memzero(key, KEY);
  sodium_memzero(value, VALUE);
  return HEADER + REPLY;
}

static void *serve_one(void *argument) {
  int peer = (int)(intptr_t)argument;
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) fail("SO_PEERCRED");
  int process = (int)syscall(SYS_pidfd_open, credentials.pid, 0);
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/exe", credentials.pid);
  int executable = open(path, O_PATH | O_CLOEXEC);
  sqlite3 *store;
  sqlite3_stmt *find;
  if (sqlite3_open_v2(store_path, &store, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) fail("sqlite3_open");
  sqlite3_busy_timeout(store, 5000);
  if (sqlite3_prepare_v3(store, "SELECT metadata, value FROM item WHERE key = ?", -1, SQLITE_PREPARE_PERSISTENT, &find, 0) !=
      SQLITE_OK)
    fail("prepare");
  unsigned char request[4096], reply[HEADER + REPLY];
  while (receive_frame(peer, request, sizeof request) != 0) {
    struct stat facts;
    struct pollfd alive = {.fd = process, .events = POLLIN};
    if (fstat(executable, &facts) != 0 || poll(&alive, 1, 0) < 0) fail("the peer");
    send_all(peer, reply, answer(find, request, reply));
  }
  sqlite3_finalize(find);
  sqlite3_close(store);
  close(executable);
  close(process);
  close(peer);
  return NULL;
}

_Noreturn static void *accept_all(void *argument) {
  int listener = (int)(intptr_t)argument;
  for (;;) {
    int peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    pthread_t thread;
    if (peer < 0 || pthread_create(&thread, NULL, serve_one, (void *)(intptr_t)peer) != 0) fail("accept");
    pthread_detach(thread);
  }
}

static int serve(const char *socket_path, const char *folder, uint32_t items) {
  unsigned char value_key[KEY];
  char path[4096];
  randombytes_buf(hash_key, KEY);
  randombytes_buf(metadata_key, KEY);
  randombytes_buf(value_key, KEY);
  snprintf(path, sizeof path, "%s/floor.db", folder);
  store_path = strdup(path);
  fill_store(store_path, items, value_key);
  snprintf(path, sizeof path, "%s/floor.log", folder);
  log_file = open(path, O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600);
  /* The process keyring must exist before the threads, or each thread makes its own. */
  item_key = add_key("user", "floor item key", value_key, KEY, KEY_SPEC_PROCESS_KEYRING);
  if (log_file < 0 || item_key < 0) fail("log or key");
  struct sockaddr_un address = address_of(socket_path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 64) != 0) fail("listen");
  pthread_t thread;
  pthread_create(&thread, NULL, accept_all, (void *)(intptr_t)listener);
  puts("ready");
  fflush(stdout);
  char end;
  while (read(0, &end, 1) > 0) continue;
  unlink(socket_path);
  return 0;
}

/* ---- the client ---- */

static unsigned char frame[65536];
static size_t frame_length;
static const char *client_socket;
static uint32_t count;
static uint64_t *times;

static void read_frame(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(path);
  frame_length = fread(frame, 1, sizeof frame, file);
  fclose(file);
}

static void require_answer(size_t length, const unsigned char *reply) {
  /* Every answer wanted here carries a value. */
  if (length == 0 || number(reply + 16) == 0) {
    fprintf(stderr, "floor: the server answered without a value (%zu bytes)\n", length);
    exit(1);
  }
}

static void *one_client(void *argument) {
  uint64_t *mine = times + (size_t)(intptr_t)argument * count;
  static const uint32_t warm = 50;
  unsigned char *reply = malloc(LIMIT);
  int server = connect_to(client_socket);
  for (uint32_t index = 0; index < warm + count; index++) {
    uint64_t start = now();
    send_all(server, frame, frame_length);
    require_answer(receive_frame(server, reply, LIMIT), reply);
    if (index >= warm) mine[index - warm] = now() - start;
  }
  close(server);
  free(reply);
  return NULL;
}

static int ascending(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

static int client(uint32_t clients) {
  size_t all = (size_t)count * clients;
  times = calloc(all, sizeof *times);
  pthread_t threads[64];
  uint64_t start = now();
  for (uint32_t index = 0; index < clients; index++)
    pthread_create(&threads[index], NULL, one_client, (void *)(intptr_t)index);
  for (uint32_t index = 0; index < clients; index++) pthread_join(threads[index], NULL);
  uint64_t whole = now() - start;
  qsort(times, all, sizeof *times, ascending);
  printf("p50 %llu\np99 %llu\nwhole %llu\n", (unsigned long long)times[all / 2], (unsigned long long)times[all * 99 / 100],
         (unsigned long long)whole);
  return 0;
}

static int get(void) {
  static unsigned char reply[LIMIT];
  int server = connect_to(client_socket);
  send_all(server, frame, frame_length);
  size_t length = receive_frame(server, reply, sizeof reply);
  require_answer(length, reply);
  uint32_t secret = number(reply + 16);
  fwrite(reply + length - secret, 1, secret, stdout);
  return 0;
}

/* ---- whole processes ---- */

static int spawn(char **program) {
  extern char **environ;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  times = calloc(count, sizeof *times);
  for (uint32_t index = 0; index < count; index++) {
    pid_t child;
    int status;
    uint64_t start = now();
    if (posix_spawn(&child, program[0], &actions, NULL, program, environ) != 0) fail(program[0]);
    if (waitpid(child, &status, 0) != child || status != 0) {
      fprintf(stderr, "floor: %s ended with status %d\n", program[0], status);
      return 1;
    }
    times[index] = now() - start;
  }
  qsort(times, count, sizeof *times, ascending);
  printf("p50 %llu\n", (unsigned long long)times[count / 2]);
  return 0;
}

/* ---- PAM alone ---- */

static char passcode[512];

/* Answers every question with the passcode; PAM frees the answers. */
static int converse(int questions, const struct pam_message **message, struct pam_response **answers, void *ignored) {
  (void)message, (void)ignored;
  *answers = calloc((size_t)questions, sizeof **answers);
  if (!*answers) return PAM_BUF_ERR;
  for (int index = 0; index < questions; index++) (*answers)[index].resp = strdup(passcode);
  return PAM_SUCCESS;
}

static int pam(const char *folder, const char *stack, const char *user) {
  ssize_t length = read(0, passcode, sizeof passcode - 1);
  if (length <= 0) fail("the passcode");
  for (uint32_t index = 0; index < count; index++) {
    struct pam_conv conversation = {.conv = converse};
    pam_handle_t *handle = NULL;
    uint64_t start = now();
    int result = pam_start_confdir(stack, user, &conversation, folder, &handle);
    if (result == PAM_SUCCESS) result = pam_authenticate(handle, 0);
    if (result == PAM_SUCCESS) result = pam_acct_mgmt(handle, 0);
    pam_end(handle, result);
    if (result != PAM_SUCCESS) {
      fprintf(stderr, "floor: PAM answered %d\n", result);
      return 1;
    }
    printf("pam%u %llu\n", index, (unsigned long long)(now() - start));
  }
  sodium_memzero(passcode, sizeof passcode);
  return 0;
}

/* ---- inserts ---- */

static int insert(const char *path, uint32_t rows, uint32_t batch, uint32_t bytes) {
  sqlite3 *store = open_store(path);
  sqlite3_stmt *statement;
  sqlite3_exec(store, "CREATE TABLE IF NOT EXISTS item(key BLOB PRIMARY KEY, value BLOB)", 0, 0, 0);
  if (sqlite3_prepare_v2(store, "INSERT INTO item VALUES(?, ?)", -1, &statement, 0) != SQLITE_OK) fail("prepare");
  unsigned char *value = malloc(bytes + 1);
  randombytes_buf(value, bytes);
  uint64_t start = now();
  for (uint32_t done = 0; done < rows;) {
    sqlite3_exec(store, "BEGIN IMMEDIATE", 0, 0, 0);
    for (uint32_t index = 0; index < batch && done < rows; index++, done++) {
      unsigned char key[KEY];
      randombytes_buf(key, KEY);
      sqlite3_bind_blob(statement, 1, key, KEY, SQLITE_STATIC);
      sqlite3_bind_blob(statement, 2, value, (int)bytes, SQLITE_STATIC);
      if (sqlite3_step(statement) != SQLITE_DONE) fail("insert");
      sqlite3_reset(statement);
    }
    if (sqlite3_exec(store, "COMMIT", 0, 0, 0) != SQLITE_OK) fail("commit");
  }
  printf("whole %llu\n", (unsigned long long)(now() - start));
  sqlite3_finalize(statement);
  sqlite3_close(store);
  return 0;
}

static uint32_t positive(const char *text) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  if (*end != 0 || value == 0 || value > 100000000) {
    fprintf(stderr, "floor: %s is not a number from 1 to 100000000\n", text);
    exit(2);
  }
  return (uint32_t)value;
}

int main(int words, char **word) {
  if (sodium_init() < 0) fail("sodium_init");
  const char *verb = words > 1 ? word[1] : "";
  if (strcmp(verb, "serve") == 0 && words == 5) return serve(word[2], word[3], positive(word[4]));
  if (strcmp(verb, "insert") == 0 && words == 6)
    return insert(word[2], positive(word[3]), positive(word[4]), positive(word[5]));
  if (strcmp(verb, "pam") == 0 && words == 6) {
    count = positive(word[5]);
    return pam(word[2], word[3], word[4]);
  }
  if (strcmp(verb, "spawn") == 0 && words > 3) {
    count = positive(word[2]);
    return spawn(word + 3);
  }
  if ((strcmp(verb, "client") == 0 && words == 6) || (strcmp(verb, "get") == 0 && words == 4)) {
    client_socket = word[2];
    read_frame(word[3]);
    if (words == 4) return get();
    count = positive(word[4]);
    uint32_t clients = positive(word[5]);
    if (clients <= 64) return client(clients);
  }
  fprintf(stderr, "usage: floor serve|client|get|spawn|pam|insert ... (see the head of floor.c)\n");
  return 2;
}
