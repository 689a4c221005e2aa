import type { ActedApp, PricedCvm, Verb } from './verbs';

// Apart from the verbs' rules, which pages load: the app's start has the place of the dialog.

export interface VerbRequest {
  verb: Verb;
  teamSlug: string;
  /** All CVMs of these apps; or `cvms`. */
  apps?: readonly ActedApp[];
  cvms?: readonly PricedCvm[];
}

type Ask = (request: VerbRequest) => Promise<boolean>;
let host: Ask | undefined;

/** Registers the page's dialog for verbs. @returns a function that unregisters it */
export function hostVerbs(ask: Ask): () => void {
  host = ask;
  return () => {
    if (host === ask) host = undefined;
  };
}

/** Asks for confirmation and performs the verb. Resolves to true once all requests were accepted. */
export const requestVerb = (request: VerbRequest): Promise<boolean> =>
  host?.(request) ?? Promise.resolve(false);
