// Colours of curves, vehicles and runs: the first six are Okabe's and Ito's, all differ to eyes without green, too.

export const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#5f6670", "#7a4a00"] as const;
/** Of the run that goes on, and of those that are compared with it. */
export const [NOW_COLOR, ...RUN_COLORS] = COLORS;
