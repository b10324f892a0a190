/* A model in C as an FMU for co-simulation, FMI 2.0 (https://fmi-standard.org). */

#include "instance.h"

typedef void (*Logger)(void *environment, const char *name, int status, const char *category, const char *text, ...);
typedef struct {
    Logger logger;
    void *allocate, *release, *finished, *environment;
} Callbacks;

static int complain(Instance *instance, const char *text, int number)
{
    if (instance->logger)
        ((Logger)instance->logger)(instance->environment, instance->name, ERROR, "logStatusError", text, number);
    return ERROR;
}

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }
int fmi2SetDebugLogging(void *c, int on, size_t count, const char *const categories[]) { return OK; }

void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources, const Callbacks *callbacks,
                      int visible, int logging)
{
    return create(name, callbacks ? (void *)callbacks->logger : NULL, callbacks ? callbacks->environment : NULL);
}

void fmi2FreeInstance(void *c) { free(c); }
int fmi2SetupExperiment(void *c, int with_tolerance, double tolerance, double start, int with_stop, double stop)
{
    *clock_of(c) = start;
    return OK;
}
int fmi2EnterInitializationMode(void *c) { return OK; }
int fmi2ExitInitializationMode(void *c) { return OK; }
int fmi2Terminate(void *c) { return OK; }
int fmi2Reset(void *c) { reset(c); return OK; }

int fmi2GetReal(void *c, const uint32_t refs[], size_t count, double values[])
{
    return copy(c, refs, count, values, NULL, count) ? OK : ERROR;
}
int fmi2SetReal(void *c, const uint32_t refs[], size_t count, const double values[])
{
    return copy(c, refs, count, NULL, values, count) ? OK : ERROR;
}

int fmi2DoStep(void *c, double time, double dt, int no_set_before)
{
    int status = step(c, time, dt);
    return status ? complain(c, "the step returned %d", status) : OK;
}

int fmi2GetFMUstate(void *c, void **state) { return keep(c, state); }
int fmi2SetFMUstate(void *c, void *state) { return go_back(c, state); }
int fmi2FreeFMUstate(void *c, void **state) { return forget(state); }
int fmi2SerializedFMUstateSize(void *c, void *state, size_t *size) { *size = sizeof(Memory); return OK; }
int fmi2SerializeFMUstate(void *c, void *state, char bytes[], size_t size)
{
    memcpy(bytes, state, sizeof(Memory));
    return OK;
}
int fmi2DeSerializeFMUstate(void *c, const char bytes[], size_t size, void **state)
{
    *state = *state ? *state : malloc(sizeof(Memory));
    return *state ? (memcpy(*state, bytes, sizeof(Memory)), OK) : FATAL;
}

/* What a model of real numbers has no use for, and what it does not offer. */
#define NOT_OFFERED(name) int name(void *c) { return ERROR; }
NOT_OFFERED(fmi2CancelStep) NOT_OFFERED(fmi2GetBoolean) NOT_OFFERED(fmi2SetBoolean) NOT_OFFERED(fmi2GetInteger)
NOT_OFFERED(fmi2SetInteger) NOT_OFFERED(fmi2GetString) NOT_OFFERED(fmi2SetString) NOT_OFFERED(fmi2GetStatus)
NOT_OFFERED(fmi2GetRealStatus) NOT_OFFERED(fmi2GetIntegerStatus) NOT_OFFERED(fmi2GetBooleanStatus)
NOT_OFFERED(fmi2GetStringStatus) NOT_OFFERED(fmi2GetDirectionalDerivative)
NOT_OFFERED(fmi2GetRealOutputDerivatives) NOT_OFFERED(fmi2SetRealInputDerivatives)
