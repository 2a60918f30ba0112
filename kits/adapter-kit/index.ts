export { testAdapter, REFUSED, type AdapterSubject, type Asked } from './contract.ts'
export { testHttpAdapter, type HttpAdapter } from './http-contract.ts'
export { useLoopback, type Answer, type Arrived, type Loopback } from './loopback.ts'
export type { Said, WireFormat } from './wire-format.ts'
