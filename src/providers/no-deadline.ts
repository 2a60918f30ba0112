/** The gateway's signal is the only deadline; SDKs take no more than a timer does. */
export const NO_DEADLINE_MS = 2 ** 31 - 1
