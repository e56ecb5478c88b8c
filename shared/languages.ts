/** The tag in its canonical form; undefined if it is invalid. */
export function readTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text.replaceAll("_", "-"))[0];
  } catch {
    // A site may set any value.
    return undefined;
  }
}

/**
 * A tag and its more general forms, most specific first: `zh-Hant-HK` is `zh-tw`, then `zh`; `es-MX` is `es-419`, then
 * `es`.
 */
export function namesOf(tag: string): string[] {
  const names: string[] = [];
  let name = tag
    .toLowerCase()
    .replace(/^zh-(hant|tw|hk|mo)\b.*/, "zh-tw")
    .replace(/^es-(?!es\b|419\b)/, "es-419-")
    .replace(/^n[on]\b/, "nb");
  for (; name; name = name.replace(/-?[^-]*$/, "")) names.push(name);
  return names;
}

/** The first available language of those requested, and the tag that requested it; English if none is available. */
export function negotiate(
  asked: readonly string[],
  names: readonly string[],
): readonly [name: string, tag: string] {
  for (const text of asked) {
    const tag = readTag(text);
    const name = tag && namesOf(tag).find((known) => known === "en" || names.includes(known));
    if (tag && name) return [name, tag];
  }
  return ["en", "en"];
}
