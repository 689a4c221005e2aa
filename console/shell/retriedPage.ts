import type { RouteComponent } from '@tanstack/react-router';
import { createElement } from 'react';
import { untilLoaded } from '../lib/importWithRetry';

/**
 * Returns the component of a page whose code arrives on demand, so that it is loaded again when the connection broke for a
 * moment. The router reloads the whole page instead, and what was typed would be lost.
 */
export function retriedPage(lazy: RouteComponent): RouteComponent {
  if (!lazy.preload) return lazy;
  let loading: Promise<void> | undefined;
  // The router's `preload` swallows a failure, and is removed once the code is there.
  const load = () =>
    untilLoaded(async () => {
      await lazy.preload?.();
      return lazy.preload === undefined;
    });
  const Page: RouteComponent = (props) => createElement(lazy, props);
  Page.preload = () => lazy.preload && (loading ??= load().finally(() => (loading = undefined)));
  return Page;
}
