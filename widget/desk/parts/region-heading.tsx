import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";

/**
 * Whether the surrounding region is in the conversation's place: then it is the page's main part, and its headings are
 * the page's. Only one such region is shown at a time.
 */
export const IsMain = createContext(false);

/**
 * A heading in a region: the region's own name, or that of a part. One element at every width, so that rotating a phone
 * redraws nothing.
 */
export function RegionHeading(props: {
  of: "region" | "part";
  class?: string | undefined;
  children: ComponentChildren;
}) {
  const isMain = useContext(IsMain);
  const Heading = props.of === "region" ? "h2" : "h3";
  const level = props.of === "region" ? 1 : 2;
  return (
    <Heading class={props.class} aria-level={isMain ? level : undefined}>
      {props.children}
    </Heading>
  );
}
