/** Names under which people keep secrets; a probe file needs none of them. */
const SECRET_NAME = /(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(_|$)/i

/** Where servers are is no concern of a probe file, and an address can hold a password. */
const ADDRESS_NAME = /_BASE_URL$/i
const ADDRESS_WITH_PASSWORD = /:\/\/[^/\s]*:[^/\s]*@/

/** An environment for probe files: a copy without secrets. */
export type StripSecrets = (env: Readonly<Record<string, string | undefined>>) => Record<string, string>

/**
 * Makes a filter that leaves out every variable with a secret's name, every variable named in `names`, and every
 * variable that repeats one of `values` under another name.
 */
export function secretStripper(names: Iterable<string>, values: Iterable<string>): StripSecrets {
  const named = new Set([...names].map((name) => name.toUpperCase()))
  const known = [...values].filter((value) => value.length > 0)
  return (env) => {
    const kept: Record<string, string> = {}
    for (const [name, value] of Object.entries(env)) {
      if (value === undefined || named.has(name.toUpperCase())) continue
      if (SECRET_NAME.test(name) || ADDRESS_NAME.test(name) || ADDRESS_WITH_PASSWORD.test(value)) continue
      if (known.some((secret) => repeats(value, secret))) continue
      kept[name] = value
    }
    return kept
  }
}

/** A short key is no key: inside other values it would be found by chance, in PATH for one. */
const SHORTEST_INSIDE = 8

function repeats(value: string, secret: string): boolean {
  return secret.length < SHORTEST_INSIDE ? value === secret : value.includes(secret)
}
