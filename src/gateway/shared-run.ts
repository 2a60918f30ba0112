import type { Ledger } from './money/ledger.ts'
import type { NanoUsd } from './money/money.ts'
import type { Pacer } from './pace/pacer.ts'

/** What the processes of a run have in common, where they share it: the money of its models, the pace of its accounts. */
export interface SharedRun {
  /**
   * Makes a model's ledger ready before the first call.
   * @throws ProbeError when it cannot be used.
   */
  join(modelKey: string): Promise<void>
  /**
   * Says whether a model's ledger could be made ready, and leaves no trace.
   * @returns what is spent of it already.
   * @throws ProbeError as `join` would.
   */
  look(modelKey: string): Promise<NanoUsd>
  /** The ledger of a model that has been joined. */
  ledger(modelKey: string): Ledger
  /**
   * The slots of a provider account.
   * @param bound most calls that may ever be open at once, those of all processes together.
   */
  pacer(account: string, bound: number): Pacer
  close(): Promise<void>
}
