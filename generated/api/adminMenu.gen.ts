// This file is written by `npm run codegen` from openapi/product.yaml and admin/resources. Do not edit.

/** What its fields mean stands in console/lib/adminMenu.ts. */
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
    "group": "People",
    "label": "Users",
    "href": "/admin/users",
    "permission": "admin.users.read"
  },
  {
    "group": "People",
    "label": "Workspaces",
    "href": "/admin/workspaces",
    "permission": "admin.users.read"
  },
  {
    "group": "People",
    "label": "Members",
    "href": "/admin/members",
    "permission": "admin.users.read"
  },
  {
    "group": "People",
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
    "label": "Teepods",
    "href": "/admin/infra/teepods",
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
    "group": "Catalogue",
    "label": "Instance types",
    "href": "/admin/instance-types",
    "permission": "admin.infra.read"
  },
  {
    "group": "Content",
    "label": "Announcements",
    "href": "/admin/announcements",
    "permission": "admin.announcements.read"
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
    "label": "Queue workers",
    "href": "/admin/system/queue-workers",
    "permission": "admin.queues.read"
  },
  {
    "group": "System",
    "label": "Queue jobs",
    "href": "/admin/system/queue-jobs",
    "permission": "admin.queues.read"
  },
  {
    "group": "System",
    "label": "Queue schedules",
    "href": "/admin/system/queue-schedules",
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
  }
] as const;
