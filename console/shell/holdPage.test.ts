import type { RouterHistory } from '@tanstack/react-router';
import { expect, it } from 'vitest';
import { makeHoldPage } from './holdPage';

type NavigationBlocker = Parameters<RouterHistory['block']>[0];

const held = (isShownOnce: boolean) => {
  let blocker: NavigationBlocker | undefined;
  const release = makeHoldPage({
    block: (given) => {
      blocker = given;
      return () => (blocker = undefined);
    },
  })(isShownOnce);
  const current = () => blocker!;
  const blocks = (action: 'PUSH' | 'REPLACE' | 'BACK' | 'FORWARD' | 'GO') =>
    current().blockerFn({ action } as Parameters<NavigationBlocker['blockerFn']>[0]);
  return { release, blocks, asks: () => current().enableBeforeUnload, isOver: () => blocker === undefined };
};

it('keeps the page on Back and Forward until it is released', () => {
  const { blocks, release, isOver } = held(true);
  expect([blocks('BACK'), blocks('FORWARD'), blocks('GO')]).toEqual([true, true, true]);
  release();
  expect(isOver()).toBe(true);
});

it('lets a form that succeeded open its page', () => {
  const { blocks } = held(false);
  expect([blocks('PUSH'), blocks('REPLACE')]).toEqual([false, false]);
});

it('asks before a reload only if something is shown once', () => {
  expect(held(true).asks()).toBe(true);
  expect(held(false).asks()).toBe(false);
});
