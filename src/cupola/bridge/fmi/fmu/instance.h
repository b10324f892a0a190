/* A model in C as an instance with a memory of its own: its numbers in one block, in the order inputs, outputs, states,
   parameters, and then its time. The value reference of a variable is the place of its first number there. */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char *cupola_names(int which);
extern int cupola_step(const double *in, double *out, double *state, const double *parameters, double time, double dt);

enum { OK, WARNING, DISCARD, ERROR, FATAL };
enum { GROUPS = 4, MOST = 1024 };

typedef struct {
    double values[MOST];
} Memory;

typedef struct {
    Memory memory;
    int first[GROUPS + 1];
    int sizes[MOST]; /* by value reference */
    void *logger, *environment;
    char name[256], said[256];
} Instance;

/* Read "name", "name=start" and "name[size]", separated by blanks. */
static int reset(Instance *instance)
{
    int at = 0;
    for (int group = 0; group < GROUPS; group++) {
        const char *text = cupola_names(group);
        instance->first[group] = at;
        while (text && *text) {
            size_t length = strcspn(text, " "), name = strcspn(text, " =[");
            int size = text[name] == '[' ? atoi(text + name + 1) : 1;
            size_t equals = strcspn(text, " =");
            double start = text[equals] == '=' ? atof(text + equals + 1) : 0.0;
            for (int i = 0; i < size && at < MOST - 1; i++) {
                instance->sizes[at] = size - i;
                instance->memory.values[at++] = start;
            }
            text += length + strspn(text + length, " ");
        }
    }
    instance->first[GROUPS] = at;
    instance->sizes[at] = 1;
    instance->memory.values[at] = 0;
    return OK;
}

static double *clock_of(Instance *instance) { return instance->memory.values + instance->first[GROUPS]; }

static int create(Instance *instance, const char *resources)
{
    (void)resources;
    reset(instance);
    if (instance->first[GROUPS] < MOST - 1)
        return OK;
    snprintf(instance->said, sizeof instance->said, "the model has more than %d numbers", MOST - 2);
    return ERROR;
}

static void destroy(Instance *instance) { free(instance); }
static int start(Instance *instance) { (void)instance; return OK; }

/* The step that begins at `time`; the world and the model must agree on when that is. */
static int step(Instance *instance, double time, double dt)
{
    double *values = instance->memory.values;
    const int *first = instance->first;
    if (fabs(time - *clock_of(instance)) > 1e-6 * dt) {
        snprintf(instance->said, sizeof instance->said, "a step from %g s was asked for at %g s", time, *clock_of(instance));
        return ERROR;
    }
    int status = cupola_step(values + first[0], values + first[1], values + first[2], values + first[3], time, dt);
    *clock_of(instance) = time + dt;
    snprintf(instance->said, sizeof instance->said, "the step returned %d", status);
    return status ? ERROR : OK;
}

/* Copy values out of the instance or into it; false if a reference or the number of values is wrong. */
static bool copy(Instance *instance, const uint32_t refs[], size_t count, double to[], const double from[], size_t values)
{
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (refs[i] > (uint32_t)instance->first[GROUPS])
            return false;
        size_t size = (size_t)instance->sizes[refs[i]];
        if (values == count) /* FMI 2 knows single numbers only */
            size = 1;
        if (at + size > values)
            return false;
        if (to)
            memcpy(to + at, instance->memory.values + refs[i], size * sizeof(double));
        else
            memcpy(instance->memory.values + refs[i], from + at, size * sizeof(double));
        at += size;
    }
    return at == values;
}

static int keep(Instance *instance, void **state)
{
    if (!*state)
        *state = malloc(sizeof(Memory));
    if (!*state)
        return FATAL;
    memcpy(*state, &instance->memory, sizeof(Memory));
    return OK;
}

static int go_back(Instance *instance, void *state)
{
    memcpy(&instance->memory, state, sizeof(Memory));
    return OK;
}

static int forget(Instance *instance, void **state)
{
    (void)instance;
    free(*state);
    *state = NULL;
    return OK;
}
