/** What a record holds itself: a fixture can be called `constructor`. */
export function ownOf<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}
