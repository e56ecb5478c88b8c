/** A new element with properties. Text is text: none of them reads markup. */
export function createElement<Name extends keyof HTMLElementTagNameMap, Properties extends object>(
  name: Name,
  properties: Properties,
): HTMLElementTagNameMap[Name] & Properties {
  return Object.assign(document.createElement(name), properties);
}
