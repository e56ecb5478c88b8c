import { ErrorBoundary } from "../../elements/error-boundary.tsx";
import { LiveRegions } from "../../elements/live-regions.tsx";
import { DeskContext, useDesk } from "../desk-context.ts";
import type { DeskModel } from "../desk-model.ts";
import { DeskScreen } from "./desk-screen.tsx";
import { JoinScreen, LinkOverScreen } from "./join-screen.tsx";
import { SetUpScreen } from "./set-up-screen.tsx";
import { SignInScreen } from "./sign-in-screen.tsx";
import { BrokenScreen, LoadingScreen, UnreachableScreen } from "./waiting-screens.tsx";

/** The whole desk: one screen at a time, and the hidden live regions for all of them. */
export function DeskApp({ desk }: { desk: DeskModel }) {
  return (
    <DeskContext.Provider value={desk}>
      <ErrorBoundary fallback={(reload) => <BrokenScreen onReload={reload} />}>
        <CurrentScreen />
      </ErrorBoundary>
      <LiveRegions said={desk.said} />
    </DeskContext.Provider>
  );
}

function CurrentScreen() {
  const desk = useDesk();
  const screen = desk.screen.value;
  switch (screen.kind) {
    case "loading":
      return <LoadingScreen />;
    case "unreachable":
      return <UnreachableScreen onTryAgain={() => void desk.resume()} />;
    case "set-up":
      return <SetUpScreen />;
    case "join":
      return <JoinScreen key={screen.token} offer={screen.offer} />;
    case "link-failed":
      return screen.over ? (
        <LinkOverScreen />
      ) : (
        <UnreachableScreen onTryAgain={() => void desk.openLink(screen.token)} />
      );
    case "sign-in":
      return <SignInScreen expired={screen.expired} />;
    case "desk":
      return <DeskScreen user={screen.user} />;
  }
}
