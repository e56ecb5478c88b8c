import type { ComponentChildren } from "preact";
import type { AskedAction } from "../../../shared/action.ts";
import { actionQuestion, actionState, toolWords } from "../../app/action-words.ts";
import { usePanel } from "../panel-context.ts";
import askStyles from "./ask.module.css";

interface ActionCardProps {
  readonly action: AskedAction;
  /** How it can be answered, while nobody has. */
  readonly children?: ComponentChildren;
}

/** An action that the agent asks permission for: exactly what would be done, then what verifiably became of it. */
export function ActionCard({ action, children }: ActionCardProps) {
  const { texts } = usePanel();
  const question = actionQuestion(texts, action);
  const state = actionState(texts, action);
  const words = toolWords(action);
  const isDoubt = action.result?.status === "unknown";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not support the log's layout
    <div class={askStyles.ask} role="group" aria-label={question}>
      <p dir="auto">{question}</p>
      {action.arguments && action.arguments.length > 0 && (
        <dl>
          {action.arguments.map(({ label, value }) => (
            <div key={label}>
              <dt dir="auto">{label}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {state === undefined ? children : <p class={isDoubt ? askStyles.doubt : undefined}>{state}</p>}
      {words && <p dir="auto">{words}</p>}
    </div>
  );
}
