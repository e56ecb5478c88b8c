/** The tag in its canonical form; undefined for what is none. */
export function readTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text.replaceAll("_", "-"))[0];
  } catch {
    // Any site may set anything.
    return undefined;
  }
}

/** A tag and what it is a case of, from the most exact: `zh-Hant-HK` is `zh-tw`, then `zh`; `es-MX` is `es-419`, then `es`. */
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

/** The first language of those asked for that there is, and the tag that asked for it; English if there is none. */
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
