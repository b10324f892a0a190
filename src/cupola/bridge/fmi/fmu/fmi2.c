/* An instance as an FMU for co-simulation, FMI 2.0 (https://fmi-standard.org). What an instance is, INSTANCE says: a
   model in C (instance.h) or a world (world.h). */

#include INSTANCE

typedef void (*Logger)(void *environment, const char *name, int status, const char *category, const char *text, ...);
typedef struct {
    Logger logger;
    void *allocate, *release, *finished, *environment;
} Callbacks;

/* Its status; what went wrong is told in words. */
static int told(Instance *instance, int status)
{
    if (status != OK && instance->logger)
        ((Logger)instance->logger)(instance->environment, instance->name, status, "logStatusError", "%s", instance->said);
    return status;
}

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }
int fmi2SetDebugLogging(void *c, int on, size_t count, const char *const categories[]) { return OK; }

void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources, const Callbacks *callbacks,
                      int visible, int logging)
{
    Instance *instance = calloc(1, sizeof *instance);
    if (!instance)
        return NULL;
    strncpy(instance->name, name ? name : "", sizeof instance->name - 1);
    instance->logger = callbacks ? (void *)callbacks->logger : NULL;
    instance->environment = callbacks ? callbacks->environment : NULL;
    if (told(instance, create(instance, resources)) == OK)
        return instance;
    destroy(instance);
    return NULL;
}

void fmi2FreeInstance(void *c) { destroy(c); }
int fmi2SetupExperiment(void *c, int with_tolerance, double tolerance, double begin, int with_stop, double stop)
{
    *clock_of(c) = begin;
    return OK;
}
int fmi2EnterInitializationMode(void *c) { return OK; }
int fmi2ExitInitializationMode(void *c) { return told(c, start(c)); }
int fmi2Terminate(void *c) { return OK; }
int fmi2Reset(void *c) { return told(c, reset(c)); }

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
    return told(c, step(c, time, dt));
}

int fmi2GetFMUstate(void *c, void **state) { return told(c, keep(c, state)); }
int fmi2SetFMUstate(void *c, void *state) { return told(c, go_back(c, state)); }
int fmi2FreeFMUstate(void *c, void **state) { return forget(c, state); }
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
