// This file is written by `npm run codegen` from openapi/ (x-admin). Do not edit.

import { lazyWithRetry } from '../../console/ui/lazyWithRetry';
import type { AreaPage, FormPanel, LeadPanel, RecordPage, RecordPanel } from './index';

/** By resource: pages below one record. They replace a list of the same name. */
export const recordPages: Readonly<Record<string, readonly RecordPage[]>> = {
  "teepods": [
    { path: "hosted-cvms", label: "Hosted CVMs", permission: "admin.infra.read", component: lazyWithRetry(() => import('./fleet/HostedCvms').then((m) => ({ default: m.HostedCvms }))) },
    { path: "managed-cvms", label: "Managed CVMs", permission: "admin.infra.read", component: lazyWithRetry(() => import('./fleet/ManagedCvms').then((m) => ({ default: m.ManagedCvms }))) },
    { path: "teams", label: "Teams", permission: "admin.infra.read", component: lazyWithRetry(() => import('./fleet/TeepodTeams').then((m) => ({ default: m.TeepodTeams }))) },
    { path: "os-images", label: "OS images", permission: "admin.infra.read", component: lazyWithRetry(() => import('./fleet/TeepodImages').then((m) => ({ default: m.TeepodImages }))) },
    { path: "kms", label: "Key service", permission: "admin.infra.read", component: lazyWithRetry(() => import('./fleet/TeepodKms').then((m) => ({ default: m.TeepodKms }))) },
    { path: "placement", label: "Placement", permission: "admin.infra.read", component: lazyWithRetry(() => import('./fleet/TeepodPlacement').then((m) => ({ default: m.TeepodPlacement }))) },
  ],
  "announcements": [
    { path: "affected-users", label: "Affected users", permission: "admin.announcements.read", component: lazyWithRetry(() => import('./announcements/AffectedUsers').then((m) => ({ default: m.AffectedUsers }))) },
  ],
  "gpus": [
    { path: "allocation", label: "Allocation", permission: "admin.infra.read", component: lazyWithRetry(() => import('./gpus/Allocation').then((m) => ({ default: m.Allocation }))) },
  ],
  "kms": [
    { path: "relationships", label: "Relationships", permission: "admin.infra.read", component: lazyWithRetry(() => import('./kms/Relationships').then((m) => ({ default: m.Relationships }))) },
  ],
  "users": [
    { path: "billing", label: "Billing", permission: "admin.billing.read", component: lazyWithRetry(() => import('./billing/UserBilling').then((m) => ({ default: m.UserBilling }))) },
    { path: "transactions", label: "Transactions", permission: "admin.billing.read", component: lazyWithRetry(() => import('./billing/UserTransactions').then((m) => ({ default: m.UserTransactions }))) },
  ],
  "workspaces": [
    { path: "teepods", label: "Teepods", permission: "admin.infra.read", component: lazyWithRetry(() => import('./workspaces/Teepods').then((m) => ({ default: m.Teepods }))) },
  ],
};

/** By resource: panels below the details of a record. */
export const recordPanels: Readonly<Record<string, readonly RecordPanel[]>> = {
  "gateways": [
    lazyWithRetry(() => import('./gateways/GatewayStatus').then((m) => ({ default: m.GatewayStatus }))),
  ],
  "teepods": [
    lazyWithRetry(() => import('./fleet/TeepodCheck').then((m) => ({ default: m.TeepodCheck }))),
  ],
  "instance-events": [
    lazyWithRetry(() => import('./activity/OperationEvents').then((m) => ({ default: m.OperationEvents }))),
  ],
  "bulk-jobs": [
    lazyWithRetry(() => import('./bulk-jobs/JobRows').then((m) => ({ default: m.JobRows }))),
  ],
  "views": [
    lazyWithRetry(() => import('./views/OpenIt').then((m) => ({ default: m.OpenIt }))),
  ],
  "announcements": [
    lazyWithRetry(() => import('./announcements/Preview').then((m) => ({ default: m.Preview }))),
  ],
  "kms-contracts": [
    lazyWithRetry(() => import('./kms/ContractApps').then((m) => ({ default: m.ContractApps }))),
    lazyWithRetry(() => import('./kms/ContractActions').then((m) => ({ default: m.ContractActions }))),
  ],
  "audit": [
    lazyWithRetry(() => import('./audit/SameRequest').then((m) => ({ default: m.SameRequest }))),
  ],
  "drains": [
    lazyWithRetry(() => import('./fleet/DrainProgress').then((m) => ({ default: m.DrainProgress }))),
  ],
  "invoices": [
    lazyWithRetry(() => import('./billing/InvoiceLines').then((m) => ({ default: m.InvoiceLines }))),
  ],
  "finance-actions": [
    lazyWithRetry(() => import('./billing/FinanceRequest').then((m) => ({ default: m.FinanceRequest }))),
  ],
  "abuse-reports": [
    lazyWithRetry(() => import('./abuse-reports/ReportLinks').then((m) => ({ default: m.ReportLinks }))),
  ],
  "ai-gateways": [
    lazyWithRetry(() => import('./ai-gateways/Evidence').then((m) => ({ default: m.Evidence }))),
  ],
};

/** By resource: panel above the details of a record while a field has a value. */
export const leadPanels: Readonly<Record<string, LeadPanel>> = {
  "teepods": { field: "drain_id", component: lazyWithRetry(() => import('./fleet/DrainProgress').then((m) => ({ default: m.DrainProgress }))) },
};

/** By resource: panel inside the form of a new record. */
export const createPanels: Readonly<Record<string, FormPanel>> = {
  "teepods": lazyWithRetry(() => import('./fleet/CheckNewTeepod').then((m) => ({ default: m.CheckNewTeepod }))),
  "announcements": lazyWithRetry(() => import('./announcements/DraftPreview').then((m) => ({ default: m.DraftPreview }))),
  "transactions": lazyWithRetry(() => import('./billing/AdjustmentNotice').then((m) => ({ default: m.AdjustmentNotice }))),
  "credits": lazyWithRetry(() => import('./billing/FundsNotice').then((m) => ({ default: m.FundsNotice }))),
  "order-products": lazyWithRetry(() => import('./billing/ProductApprovalNotice').then((m) => ({ default: m.ProductApprovalNotice }))),
  "promotion-codes": lazyWithRetry(() => import('./billing/CodeApprovalNotice').then((m) => ({ default: m.CodeApprovalNotice }))),
};

/** By resource: panel inside the form of an existing record. */
export const editPanels: Readonly<Record<string, FormPanel>> = {
  "announcements": lazyWithRetry(() => import('./announcements/DraftPreview').then((m) => ({ default: m.DraftPreview }))),
  "order-products": lazyWithRetry(() => import('./billing/ProductEditApprovalNotice').then((m) => ({ default: m.ProductEditApprovalNotice }))),
  "promotion-codes": lazyWithRetry(() => import('./billing/CodeEditApprovalNotice').then((m) => ({ default: m.CodeEditApprovalNotice }))),
};

/** Pages that belong to no record. */
export const areaPages: readonly AreaPage[] = [
  { path: "infra", label: "Map", group: "infrastructure", permission: "admin.infra.read", component: lazyWithRetry(() => import('./fleet/InfraMap').then((m) => ({ default: m.InfraMap }))) },
  { path: "system/settings", label: "Settings", group: "system", permission: "admin.infra.read", component: lazyWithRetry(() => import('./platform/PlatformSettings').then((m) => ({ default: m.PlatformSettings }))) },
  { path: "ledger", label: "Ledger health", group: "billing", permission: "admin.billing.read", component: lazyWithRetry(() => import('./billing/LedgerHealth').then((m) => ({ default: m.LedgerHealth }))) },
  { path: "billing-settings", label: "Billing settings", group: "billing", permission: "admin.billing.read", component: lazyWithRetry(() => import('./billing/BillingSettings').then((m) => ({ default: m.BillingSettings }))) },
  { path: "system/{chat_bot_service}-integration", label: "Chat bot", group: "system", permission: "admin.chat.read", component: lazyWithRetry(() => import('./chat/ChatIntegration').then((m) => ({ default: m.ChatIntegration }))) },
];
