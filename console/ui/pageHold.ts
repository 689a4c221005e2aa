import { createContext } from 'react';

/**
 * Keeps the page when Back or Forward would leave it, and returns the function that ends this. With `isShownOnce`, the
 * browser also asks before it reloads or closes the page. Each app provides it for its router.
 */
export type HoldPage = (isShownOnce: boolean) => () => void;

export const HoldPageContext = createContext<HoldPage | null>(null);
