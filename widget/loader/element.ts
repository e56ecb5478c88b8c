/** A new element with properties. Texts are set as text, never parsed as markup. */
export function createElement<Name extends keyof HTMLElementTagNameMap, Properties extends object>(
  name: Name,
  properties: Properties,
): HTMLElementTagNameMap[Name] & Properties {
  return Object.assign(document.createElement(name), properties);
}
