let host: (() => void) | undefined;

/** Registers the function that opens the list of shortcuts. @returns a function that unregisters it */
export function hostKeyHelp(open: () => void): () => void {
  host = open;
  return () => {
    if (host === open) host = undefined;
  };
}

/** Opens the list of shortcuts; the command palette offers it if single-key shortcuts are off. */
export const openKeyHelp = (): void => host?.();
