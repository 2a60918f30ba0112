/** Version of this package, recorded in every result file. */
export const HARNESS_VERSION = '0.1.0'
