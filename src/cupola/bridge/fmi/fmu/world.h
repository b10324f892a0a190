/* A world as an instance: it runs in a process of its own, `python -m cupola.bridge.fmi.unit`, and answers over a
   socket. Every message is a head (what, how many bytes) and numbers; an answer that is not OK holds words. The numbers
   of the unit lie in one block, in the order inputs, outputs, parameters, time; a value reference is a place there. */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { OK, WARNING, DISCARD, ERROR, FATAL };
enum { STEP, START, RESET, KEEP, GO_BACK, FORGET };
enum { FIRST_ANSWER = 600000, ANSWER = 60000, GOOD_BYE = 2000 }; /* [ms] */
enum { MOST = 100000 };                                         /* numbers of a unit */

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

typedef struct {
    double number; /* of a state that the world keeps for us */
} Memory;

typedef struct {
    int socket, count; /* of the numbers, the time included */
    pid_t process;
    double *values, *message;
    void *logger, *environment;
    char name[256], said[1024];
} Instance;

static double *clock_of(Instance *instance) { return instance->values + instance->count - 1; }

static int gone(Instance *instance, const char *why)
{
    snprintf(instance->said, sizeof instance->said, "%s", why);
    if (instance->socket)
        close(instance->socket);
    instance->socket = 0;
    return FATAL;
}

static bool put(Instance *instance, const void *from, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t some = send(instance->socket, (const char *)from + done, size - done, MSG_NOSIGNAL);
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            return false;
        done += (size_t)some;
    }
    return true;
}

/* 1: all of it has come, 0: it is late, -1: nobody is there any more. */
static int get(Instance *instance, void *to, size_t size, int patience)
{
    for (size_t done = 0; done < size;) {
        struct pollfd one = {instance->socket, POLLIN, 0};
        int ready = poll(&one, 1, patience);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready == 0)
            return 0;
        ssize_t some = recv(instance->socket, (char *)to + done, size - done, 0);
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            return -1;
        done += (size_t)some;
    }
    return 1;
}

/* The answer's numbers into `message`; how many of them, or -1 and what went wrong in `said`. */
static int listen_to(Instance *instance, int patience, int *status)
{
    int32_t head[2];
    int came = get(instance, head, sizeof head, patience);
    char *text = instance->said;
    size_t most = sizeof instance->said - 1;
    *status = FATAL;
    if (came == 1 && head[0] == OK && head[1] >= 0 && head[1] <= (int32_t)(MOST * sizeof(double))) {
        double *larger = realloc(instance->message, (size_t)head[1] + sizeof(double));
        if (!larger)
            return gone(instance, "there is no memory left"), -1;
        instance->message = larger;
        came = get(instance, larger, (size_t)head[1], patience);
        *status = OK;
        if (came == 1)
            return head[1] / (int)sizeof(double);
    } else if (came == 1 && head[0] != OK && head[1] >= 0 && (size_t)head[1] <= most) {
        came = get(instance, text, (size_t)head[1], patience);
        text[head[1]] = 0;
        *status = head[0];
        if (came == 1)
            return -1;
    }
    *status = came == 0 ? gone(instance, "the world did not answer in time")
                        : gone(instance, "the world is gone; what it said last is on the standard error");
    return -1;
}

/* Ask the world; `count` numbers go along. All numbers of the unit come back, unless `single` asks for one. */
static int ask(Instance *instance, int what, const double *numbers, int count, double *single)
{
    int32_t head[2] = {what, count * (int32_t)sizeof(double)};
    int status;
    if (!instance->socket)
        return ERROR;
    if (!put(instance, head, sizeof head) || !put(instance, numbers, (size_t)head[1]))
        return gone(instance, "the world is gone; what it said last is on the standard error");
    int came = listen_to(instance, ANSWER, &status);
    if (came < 0)
        return status;
    if (single && came == 1)
        *single = instance->message[0];
    else if (!single && came == instance->count)
        memcpy(instance->values, instance->message, (size_t)came * sizeof(double));
    else
        return gone(instance, "the world answered with another number of values");
    return OK;
}

/* Start the process: CUPOLA_PYTHON, else the Python that exported the unit if it is here, else python3. */
static int create(Instance *instance, const char *resources)
{
    const char *python = getenv("CUPOLA_PYTHON");
    int ends[2], status;
    posix_spawn_file_actions_t actions;
    if (!python || !*python)
        python = access(PYTHON, X_OK) == 0 ? PYTHON : "python3";
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return gone(instance, "there is no socket for the world");
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    char *const command[] = {(char *)python, "-P", "-m", "cupola.bridge.fmi.unit", (char *)(resources ? resources : ""), NULL};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    posix_spawn_file_actions_adddup2(&actions, 2, 1); /* what it prints goes where errors go */
    int failed = posix_spawnp(&instance->process, python, &actions, NULL, command, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    instance->socket = ends[0];
    int came = failed ? -1 : listen_to(instance, FIRST_ANSWER, &status);
    if (failed) {
        instance->process = 0;
        gone(instance, "");
    }
    if (came < 1) {
        char why[sizeof instance->said];
        snprintf(why, sizeof why, "%.700s", instance->said);
        snprintf(instance->said, sizeof instance->said,
                 "no world with %.200s (CUPOLA_PYTHON names the Python in which cupola is installed): %s", python, why);
        return FATAL;
    }
    instance->count = came;
    instance->values = malloc((size_t)came * sizeof(double));
    instance->message = instance->values ? realloc(instance->message, ((size_t)came + 3) * sizeof(double)) : NULL;
    if (!instance->message)
        return gone(instance, "there is no memory left");
    memcpy(instance->values, instance->message, (size_t)came * sizeof(double));
    return OK;
}

/* It ends when nobody listens any more; one that does not is ended. */
static void destroy(Instance *instance)
{
    struct timespec moment = {0, 10000000};
    if (instance->socket)
        close(instance->socket);
    for (int waited = 0; instance->process && waited <= GOOD_BYE; waited += 10) {
        if (waited == GOOD_BYE)
            kill(instance->process, SIGKILL);
        if (waitpid(instance->process, NULL, waited == GOOD_BYE ? 0 : WNOHANG) != 0)
            break;
        nanosleep(&moment, NULL);
    }
    free(instance->values);
    free(instance->message);
    free(instance);
}

static int start(Instance *instance) { return ask(instance, START, instance->values, instance->count, NULL); }
static int reset(Instance *instance) { return ask(instance, RESET, NULL, 0, NULL); }

static int step(Instance *instance, double time, double dt)
{
    double *told = malloc((size_t)(instance->count + 2) * sizeof(double));
    if (!told)
        return gone(instance, "there is no memory left");
    told[0] = time;
    told[1] = dt;
    memcpy(told + 2, instance->values, (size_t)instance->count * sizeof(double));
    int status = ask(instance, STEP, told, instance->count + 2, NULL);
    free(told);
    return status;
}

/* Copy values out of the instance or into it; false if a reference or the number of values is wrong. */
static bool copy(Instance *instance, const uint32_t refs[], size_t count, double to[], const double from[], size_t values)
{
    for (size_t i = 0; i < count; i++) {
        if (refs[i] >= (uint32_t)instance->count || values != count)
            return false;
        if (to)
            to[i] = instance->values[refs[i]];
        else
            instance->values[refs[i]] = from[i];
    }
    return values == count;
}

static int keep(Instance *instance, void **state)
{
    double number, done;
    int status = ask(instance, KEEP, instance->values, instance->count, &number);
    if (status != OK)
        return status;
    if (*state)
        ask(instance, FORGET, &((Memory *)*state)->number, 1, &done);
    else if (!(*state = malloc(sizeof(Memory))))
        return gone(instance, "there is no memory left");
    ((Memory *)*state)->number = number;
    return OK;
}

static int go_back(Instance *instance, void *state)
{
    return ask(instance, GO_BACK, &((Memory *)state)->number, 1, NULL);
}

static int forget(Instance *instance, void **state)
{
    double done;
    if (*state)
        ask(instance, FORGET, &((Memory *)*state)->number, 1, &done);
    free(*state);
    *state = NULL;
    return OK;
}
