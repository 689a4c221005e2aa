// This file is written by `npm run codegen` from openapi/product.yaml and admin/listUrl. Do not edit.

export interface AdminList {
  /** Required to see the list. */
  readonly permission: string;
  /** Path and query of the rows that the page shows first. */
  readonly request: string;
}

/** By page address. */
export const adminLists: Readonly<Record<string, AdminList>> = {
  "/admin/infra/nodes": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/nodes?sort=%5B%22name%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/infra/gateways": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/gateways?sort=%5B%22base_domain%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/infra/teepods": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/teepods?sort=%5B%22name%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/instance-types": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/instance-types?sort=%5B%22sort_order%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/templates": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/templates?sort=%5B%22id%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/system/monitoring-events": {
    "permission": "admin.system.read",
    "request": "/api/v1/admin/monitoring-events?sort=%5B%22received_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/system/outbox": {
    "permission": "admin.outbox.read",
    "request": "/api/v1/admin/outbox?sort=%5B%22created_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/instance-events": {
    "permission": "admin.cvms.read",
    "request": "/api/v1/admin/instance-events?sort=%5B%22created_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/cvms": {
    "permission": "admin.cvms.read",
    "request": "/api/v1/admin/cvms?sort=%5B%22created_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/system/bulk-jobs": {
    "permission": "admin.bulk.read",
    "request": "/api/v1/admin/bulk-jobs?sort=%5B%22created_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/system/views": {
    "permission": "admin.views.read",
    "request": "/api/v1/admin/views?sort=%5B%22name%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/announcements": {
    "permission": "admin.announcements.read",
    "request": "/api/v1/admin/announcements?sort=%5B%22created_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/system/queue-workers": {
    "permission": "admin.queues.read",
    "request": "/api/v1/admin/queue-workers?sort=%5B%22name%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/system/queue-jobs": {
    "permission": "admin.queues.read",
    "request": "/api/v1/admin/queue-jobs?sort=%5B%22due_at%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/system/queue-schedules": {
    "permission": "admin.queues.read",
    "request": "/api/v1/admin/queue-schedules?sort=%5B%22name%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/system/workers": {
    "permission": "admin.queues.read",
    "request": "/api/v1/admin/workers?sort=%5B%22started_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/system/alerts": {
    "permission": "admin.queues.read",
    "request": "/api/v1/admin/alerts?sort=%5B%22opened_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/infra/gpus": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/gpus?sort=%5B%22name%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/infra/gpu-events": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/gpu-events?sort=%5B%22id%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/infra/duplicate-vms": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/duplicate-vms?sort=%5B%22first_seen_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/infra/kms": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/kms?sort=%5B%22slug%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/infra/kms-contracts": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/kms-contracts?sort=%5B%22label%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/users": {
    "permission": "admin.users.read",
    "request": "/api/v1/admin/users?sort=%5B%22created_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/workspaces": {
    "permission": "admin.users.read",
    "request": "/api/v1/admin/workspaces?sort=%5B%22created_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/members": {
    "permission": "admin.users.read",
    "request": "/api/v1/admin/members?sort=%5B%22created_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/apps": {
    "permission": "admin.users.read",
    "request": "/api/v1/admin/apps?sort=%5B%22created_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/usage": {
    "permission": "admin.usage.read",
    "request": "/api/v1/admin/usage?sort=%5B%22created_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/system/audit": {
    "permission": "admin.audit.read",
    "request": "/api/v1/admin/audit?sort=%5B%22id%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/system/audit-destinations": {
    "permission": "admin.audit_destinations.read",
    "request": "/api/v1/admin/audit-destinations?sort=%5B%22name%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/infra/drains": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/drains?sort=%5B%22created_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/infra/drain-cvms": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/drain-cvms?sort=%5B%22id%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/infra/maintenance-windows": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/maintenance-windows?sort=%5B%22starts_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/infra/os-images": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/os-images?sort=%5B%22name%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/transactions": {
    "permission": "admin.billing.read",
    "request": "/api/v1/admin/transactions?sort=%5B%22id%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/credits": {
    "permission": "admin.billing.read",
    "request": "/api/v1/admin/credits?sort=%5B%22id%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/payments": {
    "permission": "admin.billing.read",
    "request": "/api/v1/admin/payments?sort=%5B%22id%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/invoices": {
    "permission": "admin.billing.read",
    "request": "/api/v1/admin/invoices?sort=%5B%22id%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/orders": {
    "permission": "admin.billing.read",
    "request": "/api/v1/admin/orders?sort=%5B%22id%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/order-products": {
    "permission": "admin.billing.read",
    "request": "/api/v1/admin/order-products?sort=%5B%22id%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/promotion-codes": {
    "permission": "admin.billing.read",
    "request": "/api/v1/admin/promotion-codes?sort=%5B%22id%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/finance-actions": {
    "permission": "admin.billing.read",
    "request": "/api/v1/admin/finance-actions?sort=%5B%22created_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/abuse-reports": {
    "permission": "admin.abuse.read",
    "request": "/api/v1/admin/abuse-reports?sort=%5B%22created_at%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/ai-upstreams": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/ai-upstreams?sort=%5B%22name%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/ai-gateways": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/ai-gateways?sort=%5B%22name%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/ai-models": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/ai-models?sort=%5B%22model%22%2C%22ASC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/ai-keys": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/ai-keys?sort=%5B%22id%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  },
  "/admin/ai-usage": {
    "permission": "admin.infra.read",
    "request": "/api/v1/admin/ai-usage?sort=%5B%22cost%22%2C%22DESC%22%5D&range=%5B0%2C24%5D&filter=%7B%7D"
  }
};
