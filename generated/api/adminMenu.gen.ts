// This file is written by `npm run codegen` from openapi/. Do not edit.

/** Its fields are described in console/lib/adminMenu.ts. */
export const adminMenu = [
  {
    "group": "Compute",
    "label": "Instance events",
    "href": "/admin/instance-events",
    "permission": "admin.cvms.read"
  },
  {
    "group": "Compute",
    "label": "CVMs",
    "href": "/admin/cvms",
    "permission": "admin.cvms.read"
  },
  {
    "group": "Compute",
    "label": "Apps",
    "href": "/admin/apps",
    "permission": "admin.users.read"
  },
  {
    "group": "Teams",
    "label": "Users",
    "href": "/admin/users",
    "permission": "admin.users.read"
  },
  {
    "group": "Teams",
    "label": "Teams",
    "href": "/admin/workspaces",
    "permission": "admin.users.read"
  },
  {
    "group": "Teams",
    "label": "Members",
    "href": "/admin/members",
    "parent": "/admin/workspaces",
    "permission": "admin.users.read"
  },
  {
    "group": "Teams",
    "label": "Usage",
    "href": "/admin/usage",
    "permission": "admin.usage.read"
  },
  {
    "group": "Infrastructure",
    "label": "Map",
    "href": "/admin/infra",
    "permission": "admin.infra.read"
  },
  {
    "group": "Infrastructure",
    "label": "Nodes",
    "href": "/admin/infra/nodes",
    "permission": "admin.infra.read"
  },
  {
    "group": "Infrastructure",
    "label": "Gateways",
    "href": "/admin/infra/gateways",
    "permission": "admin.infra.read"
  },
  {
    "group": "Infrastructure",
    "label": "Teepods",
    "href": "/admin/infra/teepods",
    "permission": "admin.infra.read"
  },
  {
    "group": "Infrastructure",
    "label": "Duplicate VMs",
    "href": "/admin/infra/duplicate-vms",
    "parent": "/admin/infra/teepods",
    "permission": "admin.infra.read"
  },
  {
    "group": "Infrastructure",
    "label": "GPUs",
    "href": "/admin/infra/gpus",
    "permission": "admin.infra.read"
  },
  {
    "group": "Infrastructure",
    "label": "GPU events",
    "href": "/admin/infra/gpu-events",
    "parent": "/admin/infra/gpus",
    "permission": "admin.infra.read"
  },
  {
    "group": "Infrastructure",
    "label": "KMS",
    "href": "/admin/infra/kms",
    "permission": "admin.infra.read"
  },
  {
    "group": "Infrastructure",
    "label": "KMS contracts",
    "href": "/admin/infra/kms-contracts",
    "parent": "/admin/infra/kms",
    "permission": "admin.infra.read"
  },
  {
    "group": "Infrastructure",
    "label": "Drains",
    "href": "/admin/infra/drains",
    "permission": "admin.infra.read"
  },
  {
    "group": "Infrastructure",
    "label": "Drain CVMs",
    "href": "/admin/infra/drain-cvms",
    "parent": "/admin/infra/drains",
    "permission": "admin.infra.read"
  },
  {
    "group": "Infrastructure",
    "label": "Maintenance windows",
    "href": "/admin/infra/maintenance-windows",
    "permission": "admin.infra.read"
  },
  {
    "group": "Infrastructure",
    "label": "OS images",
    "href": "/admin/infra/os-images",
    "permission": "admin.infra.read"
  },
  {
    "group": "Catalog",
    "label": "Instance types",
    "href": "/admin/instance-types",
    "permission": "admin.infra.read"
  },
  {
    "group": "Catalog",
    "label": "Templates",
    "href": "/admin/templates",
    "permission": "admin.infra.read"
  },
  {
    "group": "AI",
    "label": "AI upstreams",
    "href": "/admin/ai-upstreams",
    "permission": "admin.infra.read"
  },
  {
    "group": "AI",
    "label": "AI gateways",
    "href": "/admin/ai-gateways",
    "permission": "admin.infra.read"
  },
  {
    "group": "AI",
    "label": "AI models",
    "href": "/admin/ai-models",
    "permission": "admin.infra.read"
  },
  {
    "group": "AI",
    "label": "AI keys",
    "href": "/admin/ai-keys",
    "permission": "admin.infra.read"
  },
  {
    "group": "AI",
    "label": "AI usage",
    "href": "/admin/ai-usage",
    "permission": "admin.infra.read"
  },
  {
    "group": "Content",
    "label": "Announcements",
    "href": "/admin/announcements",
    "permission": "admin.announcements.read"
  },
  {
    "group": "Content",
    "label": "Abuse reports",
    "href": "/admin/abuse-reports",
    "permission": "admin.abuse.read"
  },
  {
    "group": "Billing",
    "label": "Ledger health",
    "href": "/admin/ledger",
    "permission": "admin.billing.read"
  },
  {
    "group": "Billing",
    "label": "Billing settings",
    "href": "/admin/billing-settings",
    "permission": "admin.billing.read"
  },
  {
    "group": "Billing",
    "label": "Transactions",
    "href": "/admin/transactions",
    "permission": "admin.billing.read"
  },
  {
    "group": "Billing",
    "label": "Credits",
    "href": "/admin/credits",
    "permission": "admin.billing.read"
  },
  {
    "group": "Billing",
    "label": "Payments",
    "href": "/admin/payments",
    "permission": "admin.billing.read"
  },
  {
    "group": "Billing",
    "label": "Invoices",
    "href": "/admin/invoices",
    "permission": "admin.billing.read"
  },
  {
    "group": "Billing",
    "label": "Orders",
    "href": "/admin/orders",
    "permission": "admin.billing.read"
  },
  {
    "group": "Billing",
    "label": "Order products",
    "href": "/admin/order-products",
    "permission": "admin.billing.read"
  },
  {
    "group": "Billing",
    "label": "Promotion codes",
    "href": "/admin/promotion-codes",
    "permission": "admin.billing.read"
  },
  {
    "group": "Billing",
    "label": "Finance actions",
    "href": "/admin/finance-actions",
    "permission": "admin.billing.read"
  },
  {
    "group": "System",
    "label": "Settings",
    "href": "/admin/system/settings",
    "permission": "admin.infra.read"
  },
  {
    "group": "System",
    "label": "Chat bot",
    "href": "/admin/system/{chat_bot_service}-integration",
    "permission": "admin.chat.read"
  },
  {
    "group": "System",
    "label": "Monitoring events",
    "href": "/admin/system/monitoring-events",
    "permission": "admin.system.read"
  },
  {
    "group": "System",
    "label": "Outbox",
    "href": "/admin/system/outbox",
    "permission": "admin.outbox.read"
  },
  {
    "group": "System",
    "label": "Bulk jobs",
    "href": "/admin/system/bulk-jobs",
    "permission": "admin.bulk.read"
  },
  {
    "group": "System",
    "label": "Views",
    "href": "/admin/system/views",
    "permission": "admin.views.read"
  },
  {
    "group": "System",
    "label": "Queues",
    "href": "/admin/system/queue-workers",
    "permission": "admin.queues.read"
  },
  {
    "group": "System",
    "label": "Queue jobs",
    "href": "/admin/system/queue-jobs",
    "parent": "/admin/system/queue-workers",
    "permission": "admin.queues.read"
  },
  {
    "group": "System",
    "label": "Queue schedules",
    "href": "/admin/system/queue-schedules",
    "parent": "/admin/system/queue-workers",
    "permission": "admin.queues.read"
  },
  {
    "group": "System",
    "label": "Workers",
    "href": "/admin/system/workers",
    "permission": "admin.queues.read"
  },
  {
    "group": "System",
    "label": "Alerts",
    "href": "/admin/system/alerts",
    "permission": "admin.queues.read"
  },
  {
    "group": "System",
    "label": "Audit",
    "href": "/admin/system/audit",
    "permission": "admin.audit.read"
  },
  {
    "group": "System",
    "label": "Audit destinations",
    "href": "/admin/system/audit-destinations",
    "permission": "admin.audit_destinations.read"
  }
] as const;
