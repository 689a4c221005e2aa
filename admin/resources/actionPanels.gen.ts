// This file is written by `npm run codegen` from openapi/ (x-admin). Do not edit.

import type { ComponentType, LazyExoticComponent } from 'react';
import { lazyWithRetry } from '../../console/ui/lazyWithRetry';
import type { AdminRecord } from '../record';

type ActionPanel = LazyExoticComponent<ComponentType<{ record: AdminRecord }>>;

/** By resource and action: panel inside the form of an action. */
export const actionPanels: Readonly<Record<string, Readonly<Record<string, ActionPanel>>>> = {
  "announcements": {
    "publish": lazyWithRetry(() => import('./announcements/PublishReach').then((m) => ({ default: m.PublishReach }))),
  },
  "credits": {
    "revoke": lazyWithRetry(() => import('./billing/CreditRevocation').then((m) => ({ default: m.CreditRevocation }))),
  },
  "payments": {
    "receipts": lazyWithRetry(() => import('./billing/FundsNotice').then((m) => ({ default: m.FundsNotice }))),
    "refund": lazyWithRetry(() => import('./billing/FundsNotice').then((m) => ({ default: m.FundsNotice }))),
    "reverse": lazyWithRetry(() => import('./billing/FundsNotice').then((m) => ({ default: m.FundsNotice }))),
  },
  "invoices": {
    "void": lazyWithRetry(() => import('./billing/FundsNotice').then((m) => ({ default: m.FundsNotice }))),
    "mark-uncollectible": lazyWithRetry(() => import('./billing/FundsNotice').then((m) => ({ default: m.FundsNotice }))),
    "credit": lazyWithRetry(() => import('./billing/FundsNotice').then((m) => ({ default: m.FundsNotice }))),
  },
  "orders": {
    "cancel": lazyWithRetry(() => import('./billing/FundsNotice').then((m) => ({ default: m.FundsNotice }))),
    "refund": lazyWithRetry(() => import('./billing/FundsNotice').then((m) => ({ default: m.FundsNotice }))),
  },
};
