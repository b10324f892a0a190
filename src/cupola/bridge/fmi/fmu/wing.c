/* A flapping wing as a port-Hamiltonian system: a rigid panel on a spring at the joint that flaps it, in air.

   state    s = bend [rad], p = momentum of the panel [kg m2/s];     energy H = k s^2 / 2 + p^2 / (2 J)
   ports    the joint: it turns at `rate` and gets `torque`; the air: it passes at `air` and is pushed by `force`
   losses   a damper d in the joint, and the air, which resists with c v |v|, v = arm * (speed of the panel) + air

   Over a step the speed of the panel w is that of the middle (implicit midpoint), so for this quadratic energy
   H(after) - H(before) = dt * (supplied - lost) holds to rounding, whatever the step. */

#include <math.h>

enum { INPUTS, OUTPUTS, STATES, PARAMETERS };

const char *cupola_names(int which)
{
    switch (which) {
    case INPUTS: return "rate air density";
    case OUTPUTS: return "torque force stored supplied lost";
    case STATES: return "bend momentum";
    case PARAMETERS: return "stiffness=2 damping=0.002 inertia=0.0005 arm=0.25 area=0.05 drag=1.8";
    }
    return 0;
}

int cupola_step(const double *in, double *out, double *state, const double *parameters, double time, double dt)
{
    const double rate = in[0], air = in[1], density = in[2];
    const double k = parameters[0], d = parameters[1], J = parameters[2], arm = parameters[3];
    const double c = 0.5 * density * parameters[4] * parameters[5];
    const double before = state[1] / J;
    double w = before, bend = 0, v = 0, step = 0;
    (void)time;
    for (int i = 0; i < 50; i++) { /* Newton: the slope is positive everywhere, so there is one solution */
        bend = state[0] + 0.5 * dt * (w - rate);
        v = arm * w + air;
        step = (2 * J * (w - before) / dt + k * bend + d * (w - rate) + arm * c * v * fabs(v))
             / (2 * J / dt + 0.5 * k * dt + d + 2 * arm * arm * c * fabs(v));
        w -= step;
        if (fabs(step) <= 1e-15 * fabs(w))
            break;
    }
    if (fabs(step) > 1e-9 * (1 + fabs(w)))
        return 1;
    bend = state[0] + 0.5 * dt * (w - rate);
    v = arm * w + air;
    out[0] = k * bend + d * (w - rate);
    out[1] = -c * v * fabs(v);
    state[0] += dt * (w - rate);
    state[1] = J * (2 * w - before);
    out[2] = 0.5 * k * state[0] * state[0] + 0.5 * state[1] * state[1] / J;
    out[3] = -out[0] * rate - out[1] * air;
    out[4] = d * (w - rate) * (w - rate) + c * v * v * fabs(v);
    return 0;
}
