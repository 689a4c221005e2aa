import type { RouteComponent } from '@tanstack/react-router';
import { createElement } from 'react';
import { untilLoaded } from '../lib/importWithRetry';

/**
 * Wraps a page's lazy component with retries after a brief connection loss. The router would reload the whole page
 * instead, which loses typed input.
 */
export function retriedPage(lazy: RouteComponent): RouteComponent {
  if (!lazy.preload) return lazy;
  let loading: Promise<void> | undefined;
  // The router's `preload` swallows failures, and is removed once the code has loaded.
  const load = () =>
    untilLoaded(async () => {
      await lazy.preload?.();
      return lazy.preload === undefined;
    });
  const Page: RouteComponent = (props) => createElement(lazy, props);
  Page.preload = () => lazy.preload && (loading ??= load().finally(() => (loading = undefined)));
  return Page;
}
