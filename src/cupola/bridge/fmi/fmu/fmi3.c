/* An instance as an FMU for co-simulation, FMI 3.0 (https://fmi-standard.org). What an instance is, INSTANCE says: a
   model in C (instance.h) or a world (world.h). */

#include INSTANCE

typedef void (*Logger)(void *environment, int status, const char *category, const char *text);

/* Its status; what went wrong is told in words. */
static int told(Instance *instance, int status)
{
    if (status != OK && instance->logger)
        ((Logger)instance->logger)(instance->environment, status, "logStatusError", instance->said);
    return status;
}

const char *fmi3GetVersion(void) { return "3.0"; }
int fmi3SetDebugLogging(void *c, bool on, size_t count, const char *const categories[]) { return OK; }

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible, bool logging,
                                  bool events, bool early, const uint32_t intermediate[], size_t count,
                                  void *environment, void *logger, void *update)
{
    Instance *instance = calloc(1, sizeof *instance);
    if (!instance)
        return NULL;
    strncpy(instance->name, name ? name : "", sizeof instance->name - 1);
    instance->logger = logger;
    instance->environment = environment;
    if (told(instance, create(instance, resources)) == OK)
        return instance;
    destroy(instance);
    return NULL;
}

void fmi3FreeInstance(void *c) { destroy(c); }
int fmi3EnterInitializationMode(void *c, bool with_tolerance, double tolerance, double begin, bool with_stop, double stop)
{
    *clock_of(c) = begin;
    return OK;
}
int fmi3ExitInitializationMode(void *c) { return told(c, start(c)); }
int fmi3EnterStepMode(void *c) { return OK; }
int fmi3Terminate(void *c) { return OK; }
int fmi3Reset(void *c) { return told(c, reset(c)); }

int fmi3GetFloat64(void *c, const uint32_t refs[], size_t count, double values[], size_t numbers)
{
    return copy(c, refs, count, values, NULL, numbers) ? OK : ERROR;
}
int fmi3SetFloat64(void *c, const uint32_t refs[], size_t count, const double values[], size_t numbers)
{
    return copy(c, refs, count, NULL, values, numbers) ? OK : ERROR;
}

int fmi3DoStep(void *c, double time, double dt, bool no_set_before, bool *event, bool *terminate, bool *early, double *last)
{
    Instance *instance = c;
    int status = step(instance, time, dt);
    *event = *terminate = *early = false;
    *last = *clock_of(instance);
    return told(instance, status);
}

int fmi3GetFMUState(void *c, void **state) { return told(c, keep(c, state)); }
int fmi3SetFMUState(void *c, void *state) { return told(c, go_back(c, state)); }
int fmi3FreeFMUState(void *c, void **state) { return forget(c, state); }
int fmi3SerializedFMUStateSize(void *c, void *state, size_t *size) { *size = sizeof(Memory); return OK; }
int fmi3SerializeFMUState(void *c, void *state, uint8_t bytes[], size_t size)
{
    memcpy(bytes, state, sizeof(Memory));
    return OK;
}
int fmi3DeserializeFMUState(void *c, const uint8_t bytes[], size_t size, void **state)
{
    *state = *state ? *state : malloc(sizeof(Memory));
    return *state ? (memcpy(*state, bytes, sizeof(Memory)), OK) : FATAL;
}

void *fmi3InstantiateModelExchange(void) { return NULL; }
void *fmi3InstantiateScheduledExecution(void) { return NULL; }

/* What a model of real numbers has no use for, and what it does not offer. */
#define NOT_OFFERED(name) int fmi3##name(void *c) { return ERROR; }
#define NEITHER(type) NOT_OFFERED(Get##type) NOT_OFFERED(Set##type)
NEITHER(Float32) NEITHER(Int8) NEITHER(UInt8) NEITHER(Int16) NEITHER(UInt16) NEITHER(Int32) NEITHER(UInt32)
NEITHER(Int64) NEITHER(UInt64) NEITHER(Boolean) NEITHER(String) NEITHER(Binary) NEITHER(Clock)
NEITHER(IntervalDecimal) NEITHER(IntervalFraction) NEITHER(ShiftDecimal) NEITHER(ShiftFraction)
NEITHER(ContinuousStates) NOT_OFFERED(GetContinuousStateDerivatives) NOT_OFFERED(GetEventIndicators)
NOT_OFFERED(GetNominalsOfContinuousStates) NOT_OFFERED(GetNumberOfContinuousStates)
NOT_OFFERED(GetNumberOfEventIndicators) NOT_OFFERED(GetNumberOfVariableDependencies)
NOT_OFFERED(GetVariableDependencies) NOT_OFFERED(GetDirectionalDerivative) NOT_OFFERED(GetAdjointDerivative)
NOT_OFFERED(GetOutputDerivatives) NOT_OFFERED(SetTime) NOT_OFFERED(CompletedIntegratorStep)
NOT_OFFERED(EnterEventMode) NOT_OFFERED(EnterContinuousTimeMode) NOT_OFFERED(EnterConfigurationMode)
NOT_OFFERED(ExitConfigurationMode) NOT_OFFERED(EvaluateDiscreteStates) NOT_OFFERED(UpdateDiscreteStates)
NOT_OFFERED(ActivateModelPartition)
