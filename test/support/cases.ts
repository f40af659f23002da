/** How many generated cases to try: `share` by default, `all` in a thorough run. */
export const cases = (share: number, all: number): number => (process.env.COLOPHON_THOROUGH ? all : share);
