// This file is written by `npm run codegen` from openapi/product.yaml. Do not edit.

export const adminResources: Readonly<Record<string, object>> = {
  "nodes": {
    "path": "/admin/nodes",
    "id_type": "integer",
    "schema": "AdminNode",
    "operations": [
      "list",
      "create",
      "show",
      "edit",
      "delete"
    ],
    "permissions": {
      "list": "admin.infra.read",
      "create": "admin.infra.write",
      "show": "admin.infra.read",
      "edit": "admin.infra.write",
      "delete": "admin.infra.write"
    },
    "actions": [],
    "create": "CreateAdminNode",
    "update": "AdminNodePatch"
  },
  "teepods": {
    "path": "/admin/teepods",
    "id_type": "integer",
    "schema": "AdminTeepod",
    "operations": [
      "list",
      "create",
      "show",
      "edit",
      "delete"
    ],
    "permissions": {
      "list": "admin.infra.read",
      "create": "admin.infra.write",
      "show": "admin.infra.read",
      "edit": "admin.infra.write",
      "delete": "admin.infra.write"
    },
    "actions": [
      {
        "name": "cordon",
        "permission": "admin.infra.write",
        "confirm": "It takes no new CVMs. Those on it go on running.",
        "bulk": true,
        "when": {
          "state": [
            "online"
          ]
        }
      },
      {
        "name": "uncordon",
        "permission": "admin.infra.write",
        "body": "UncordonAdminTeepod",
        "bulk": true,
        "when": {
          "state": [
            "cordoned",
            "draining",
            "offline"
          ]
        }
      },
      {
        "name": "drain",
        "permission": "admin.infra.write",
        "body": "DrainAdminTeepod",
        "reply": "AdminDrain",
        "starts": true,
        "idempotent": true,
        "confirm": "It takes no new CVMs. CVMs that may be moved are made anew on another host with an empty disk; the others are stopped at the time you give, and their teams are told.",
        "danger": true,
        "when": {
          "state": [
            "online",
            "cordoned"
          ]
        }
      }
    ],
    "create": "CreateAdminTeepod",
    "update": "AdminTeepodPatch"
  },
  "instance-types": {
    "path": "/admin/instance-types",
    "id_type": "string",
    "schema": "AdminInstanceType",
    "operations": [
      "list",
      "create",
      "show",
      "edit",
      "delete"
    ],
    "permissions": {
      "list": "admin.infra.read",
      "create": "admin.catalogue.write",
      "show": "admin.infra.read",
      "edit": "admin.catalogue.write",
      "delete": "admin.catalogue.write"
    },
    "actions": [],
    "create": "CreateAdminInstanceType",
    "update": "AdminInstanceTypePatch"
  },
  "monitoring-events": {
    "path": "/admin/monitoring-events",
    "id_type": "integer",
    "schema": "AdminMonitoringEvent",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.system.read",
      "show": "admin.system.read"
    },
    "actions": []
  },
  "outbox": {
    "path": "/admin/outbox",
    "id_type": "integer",
    "schema": "AdminOutboxMail",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.outbox.read",
      "show": "admin.outbox.read"
    },
    "actions": [
      {
        "name": "retry",
        "permission": "admin.outbox.write",
        "bulk": true
      }
    ]
  },
  "instance-events": {
    "path": "/admin/instance-events",
    "id_type": "integer",
    "schema": "AdminInstanceEvent",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.cvms.read",
      "show": "admin.cvms.read"
    },
    "actions": []
  },
  "cvms": {
    "path": "/admin/cvms",
    "id_type": "string",
    "schema": "AdminCvm",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.cvms.read",
      "show": "admin.cvms.read"
    },
    "actions": [
      {
        "name": "start",
        "permission": "admin.cvms.write",
        "confirm": "The CVM boots on its host, and its team pays for it while it runs.",
        "bulk": true,
        "when": {
          "status": [
            "stopped",
            "error"
          ]
        }
      },
      {
        "name": "shutdown",
        "permission": "admin.cvms.write",
        "confirm": "Its containers are stopped one after another; after a minute without an answer it is stopped hard. Its team sees who did it.",
        "bulk": true,
        "when": {
          "status": [
            "running",
            "error"
          ]
        }
      },
      {
        "name": "stop",
        "permission": "admin.cvms.write",
        "confirm": "As pulling the plug: its containers are not asked, and what they have not written is lost. Its team sees who did it.",
        "danger": true,
        "bulk": true,
        "when": {
          "status": [
            "running",
            "error"
          ]
        }
      },
      {
        "name": "restart",
        "permission": "admin.cvms.write",
        "confirm": "What runs in it is away until it has booted again. Its team sees who did it.",
        "bulk": true,
        "when": {
          "status": [
            "running",
            "stopped",
            "error"
          ]
        }
      }
    ]
  },
  "bulk-jobs": {
    "path": "/admin/bulk-jobs",
    "id_type": "integer",
    "schema": "AdminBulkJob",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.bulk.read",
      "show": "admin.bulk.read"
    },
    "actions": [
      {
        "name": "cancel",
        "permission": "admin.bulk.write",
        "confirm": "Rows that are done stay done; the others are left as they are.",
        "when": {
          "state": [
            "queued",
            "running"
          ]
        }
      }
    ]
  },
  "views": {
    "path": "/admin/views",
    "id_type": "integer",
    "schema": "AdminView",
    "operations": [
      "list",
      "show",
      "edit",
      "delete"
    ],
    "permissions": {
      "list": "admin.views.read",
      "show": "admin.views.read",
      "edit": "admin.views.write",
      "delete": "admin.views.write"
    },
    "actions": [],
    "update": "AdminViewPatch"
  },
  "announcements": {
    "path": "/admin/announcements",
    "id_type": "integer",
    "schema": "AdminAnnouncement",
    "operations": [
      "list",
      "create",
      "show",
      "edit",
      "delete"
    ],
    "permissions": {
      "list": "admin.announcements.read",
      "create": "admin.announcements.write",
      "show": "admin.announcements.read",
      "edit": "admin.announcements.write",
      "delete": "admin.announcements.write"
    },
    "actions": [
      {
        "name": "publish",
        "permission": "admin.announcements.write",
        "confirm": "It is shown to its whole audience from its start on. Affected users lists who that is.",
        "when": {
          "state": [
            "draft"
          ]
        }
      },
      {
        "name": "end",
        "permission": "admin.announcements.write",
        "confirm": "It goes from every page at once and cannot be published again.",
        "danger": true,
        "when": {
          "state": [
            "scheduled",
            "live"
          ]
        }
      }
    ],
    "create": "CreateAdminAnnouncement",
    "update": "AdminAnnouncementPatch"
  },
  "queue-workers": {
    "path": "/admin/queue-workers",
    "id_type": "string",
    "schema": "AdminQueue",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.queues.read",
      "show": "admin.queues.read"
    },
    "actions": []
  },
  "queue-jobs": {
    "path": "/admin/queue-jobs",
    "id_type": "string",
    "schema": "AdminQueueJob",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.queues.read",
      "show": "admin.queues.read"
    },
    "actions": [
      {
        "name": "retry",
        "permission": "admin.queues.write",
        "bulk": true,
        "when": {
          "can_retry": [
            true
          ]
        }
      },
      {
        "name": "cancel",
        "permission": "admin.queues.write",
        "confirm": "What has begun is taken back where that is possible. The owner sees that it was cancelled.",
        "danger": true,
        "bulk": true,
        "when": {
          "can_cancel": [
            true
          ]
        }
      }
    ]
  },
  "queue-schedules": {
    "path": "/admin/queue-schedules",
    "id_type": "string",
    "schema": "AdminSchedule",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.queues.read",
      "show": "admin.queues.read"
    },
    "actions": []
  },
  "workers": {
    "path": "/admin/workers",
    "id_type": "string",
    "schema": "AdminWorker",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.queues.read",
      "show": "admin.queues.read"
    },
    "actions": []
  },
  "alerts": {
    "path": "/admin/alerts",
    "id_type": "integer",
    "schema": "AdminAlert",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.queues.read",
      "show": "admin.queues.read"
    },
    "actions": [
      {
        "name": "acknowledge",
        "permission": "admin.chat.write",
        "bulk": true,
        "when": {
          "state": [
            "open"
          ]
        }
      }
    ]
  },
  "gpus": {
    "path": "/admin/gpus",
    "id_type": "integer",
    "schema": "AdminGpu",
    "operations": [
      "list",
      "create",
      "show",
      "edit",
      "delete"
    ],
    "permissions": {
      "list": "admin.infra.read",
      "create": "admin.infra.write",
      "show": "admin.infra.read",
      "edit": "admin.infra.write",
      "delete": "admin.infra.write"
    },
    "actions": [
      {
        "name": "reserve",
        "permission": "admin.infra.write",
        "body": "ReserveAdminGpu",
        "bulk": true,
        "when": {
          "reserved": [
            false
          ],
          "state": [
            "free",
            "attached"
          ]
        }
      },
      {
        "name": "release",
        "permission": "admin.infra.write",
        "confirm": "Any team can have this GPU then. A CVM that has it keeps it.",
        "bulk": true,
        "when": {
          "reserved": [
            true
          ]
        }
      },
      {
        "name": "attach",
        "permission": "admin.infra.write",
        "body": "AttachAdminGpu",
        "confirm": "The CVM has the GPU from its next start on. What it costs per hour stays as it is.",
        "when": {
          "state": [
            "free",
            "reserved"
          ],
          "held_until": [
            null
          ]
        }
      },
      {
        "name": "detach",
        "permission": "admin.infra.write",
        "confirm": "The CVM starts without this GPU from now on, and others can have it.",
        "when": {
          "attached": [
            true
          ]
        }
      },
      {
        "name": "mark-faulty",
        "permission": "admin.infra.write",
        "body": "MarkAdminGpuFaulty",
        "confirm": "No CVM gets this GPU until it is repaired. A CVM that has it keeps it.",
        "when": {
          "state": [
            "free",
            "reserved",
            "attached"
          ]
        }
      },
      {
        "name": "repair",
        "permission": "admin.infra.write",
        "confirm": "CVMs can be given this GPU again.",
        "when": {
          "state": [
            "faulty"
          ]
        }
      }
    ],
    "create": "CreateAdminGpu",
    "update": "AdminGpuPatch"
  },
  "gpu-events": {
    "path": "/admin/gpu-events",
    "id_type": "integer",
    "schema": "AdminGpuEvent",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.infra.read",
      "show": "admin.infra.read"
    },
    "actions": []
  },
  "kms": {
    "path": "/admin/kms",
    "id_type": "integer",
    "schema": "AdminKms",
    "operations": [
      "list",
      "create",
      "show",
      "edit",
      "delete"
    ],
    "permissions": {
      "list": "admin.infra.read",
      "create": "admin.infra.write",
      "show": "admin.infra.read",
      "edit": "admin.infra.write",
      "delete": "admin.infra.write"
    },
    "actions": [
      {
        "name": "check",
        "permission": "admin.infra.write",
        "bulk": true
      }
    ],
    "create": "CreateAdminKms",
    "update": "AdminKmsPatch"
  },
  "kms-contracts": {
    "path": "/admin/kms-contracts",
    "id_type": "integer",
    "schema": "AdminKmsContract",
    "operations": [
      "list",
      "create",
      "show",
      "edit",
      "delete"
    ],
    "permissions": {
      "list": "admin.infra.read",
      "create": "admin.infra.write",
      "show": "admin.infra.read",
      "edit": "admin.infra.write",
      "delete": "admin.infra.write"
    },
    "actions": [
      {
        "name": "read",
        "permission": "admin.infra.write",
        "bulk": true
      },
      {
        "name": "try-app",
        "permission": "admin.infra.read",
        "body": "TryAdminKmsContractApp",
        "reply": "AdminContractVerdict"
      }
    ],
    "create": "CreateAdminKmsContract",
    "update": "AdminKmsContractPatch"
  },
  "users": {
    "path": "/admin/users",
    "id_type": "integer",
    "schema": "AdminUser",
    "operations": [
      "list",
      "show",
      "edit"
    ],
    "permissions": {
      "list": "admin.users.read",
      "show": "admin.users.read",
      "edit": "admin.users.write"
    },
    "actions": [
      {
        "name": "suspend",
        "permission": "admin.users.write",
        "body": "AdminReason",
        "confirm": "All their sessions end, and their API tokens are refused until they are let in again. Their CVMs go on running.",
        "danger": true,
        "when": {
          "state": [
            "active"
          ]
        }
      },
      {
        "name": "reactivate",
        "permission": "admin.users.write",
        "body": "AdminReason",
        "confirm": "They can sign in again, and their API tokens work again at once. The sessions that ended stay ended.",
        "when": {
          "state": [
            "suspended"
          ]
        }
      },
      {
        "name": "resend-verification",
        "permission": "admin.users.write",
        "when": {
          "state": [
            "active"
          ],
          "email_verified_at": [
            null
          ]
        }
      },
      {
        "name": "end-sessions",
        "permission": "admin.users.write",
        "body": "AdminReason",
        "confirm": "They are signed out everywhere. Their API tokens stay.",
        "danger": true,
        "when": {
          "state": [
            "active"
          ]
        }
      },
      {
        "name": "reset-second-factor",
        "permission": "admin.users.write",
        "body": "AdminReason",
        "confirm": "Authenticator app, passkeys and recovery codes are removed and all sessions end: whoever knows the password gets in. Be sure who asked.",
        "danger": true,
        "when": {
          "second_factor": [
            true
          ]
        }
      },
      {
        "name": "view-as",
        "permission": "admin.users.view_as",
        "body": "CreateAdminViewAs",
        "reply": "AdminViewAs",
        "confirm": "You see the console as they do, read-only. Their teams see in the audit log that you did, and why.",
        "when": {
          "state": [
            "active"
          ]
        }
      }
    ],
    "hints": {
      "edit": {
        "confirm": "A platform role opens the admin area, and with it the data of every team."
      }
    },
    "update": "AdminUserPatch"
  },
  "workspaces": {
    "path": "/admin/workspaces",
    "id_type": "integer",
    "schema": "AdminWorkspace",
    "operations": [
      "list",
      "show",
      "edit",
      "delete"
    ],
    "permissions": {
      "list": "admin.users.read",
      "show": "admin.users.read",
      "edit": "admin.workspaces.write",
      "delete": "admin.workspaces.write"
    },
    "actions": [],
    "hints": {
      "edit": {
        "confirm": "Higher limits let the team take more of the hosts; lower ones stop nothing that runs."
      }
    },
    "update": "AdminWorkspacePatch"
  },
  "members": {
    "path": "/admin/members",
    "id_type": "string",
    "schema": "AdminMember",
    "operations": [
      "list"
    ],
    "permissions": {
      "list": "admin.users.read"
    },
    "actions": []
  },
  "apps": {
    "path": "/admin/apps",
    "id_type": "string",
    "schema": "AdminApp",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.users.read",
      "show": "admin.users.read"
    },
    "actions": []
  },
  "usage": {
    "path": "/admin/usage",
    "id_type": "string",
    "schema": "AdminUsage",
    "operations": [
      "list"
    ],
    "permissions": {
      "list": "admin.usage.read"
    },
    "actions": []
  },
  "audit": {
    "path": "/admin/audit",
    "id_type": "integer",
    "schema": "AdminAudit",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.audit.read",
      "show": "admin.audit.read"
    },
    "actions": [
      {
        "name": "verify",
        "permission": "admin.audit.read",
        "confirm": "Every entry of its chain is read and its hash computed again."
      }
    ]
  },
  "drains": {
    "path": "/admin/drains",
    "id_type": "integer",
    "schema": "AdminDrain",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.infra.read",
      "show": "admin.infra.read"
    },
    "actions": [
      {
        "name": "cancel",
        "permission": "admin.infra.write",
        "confirm": "What was moved or stopped stays so; the teams of the others are told that nothing happens. The teepod stays cordoned.",
        "when": {
          "state": [
            "running",
            "blocked"
          ]
        }
      }
    ]
  },
  "drain-cvms": {
    "path": "/admin/drain-cvms",
    "id_type": "integer",
    "schema": "AdminDrainCvm",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.infra.read",
      "show": "admin.infra.read"
    },
    "actions": [
      {
        "name": "decide",
        "permission": "admin.infra.write",
        "body": "DecideAdminDrainCvm",
        "bulk": true,
        "when": {
          "state": [
            "waiting",
            "blocked"
          ]
        }
      }
    ]
  },
  "maintenance-windows": {
    "path": "/admin/maintenance-windows",
    "id_type": "integer",
    "schema": "AdminMaintenanceWindow",
    "operations": [
      "list",
      "create",
      "show",
      "edit",
      "delete"
    ],
    "permissions": {
      "list": "admin.infra.read",
      "create": "admin.infra.write",
      "show": "admin.infra.read",
      "edit": "admin.infra.write",
      "delete": "admin.infra.write"
    },
    "actions": [],
    "create": "CreateAdminMaintenanceWindow",
    "update": "AdminMaintenanceWindowPatch"
  },
  "os-images": {
    "path": "/admin/os-images",
    "id_type": "integer",
    "schema": "AdminOsImage",
    "operations": [
      "list",
      "show",
      "edit"
    ],
    "permissions": {
      "list": "admin.infra.read",
      "show": "admin.infra.read",
      "edit": "admin.infra.write"
    },
    "actions": [],
    "update": "AdminOsImagePatch"
  }
};

export const adminSchemas: Readonly<Record<string, object>> = {
  "AdminAlert": {
    "type": "object",
    "description": "Something that needs a person. Told to linked chats; the same trouble is one row, counted.",
    "x-admin": {
      "title_field": "title",
      "group": "system",
      "columns": [
        "title",
        "state",
        "severity",
        "kind",
        "count",
        "opened_at",
        "resolved_at"
      ],
      "filters": [
        "state",
        "severity",
        "kind"
      ],
      "sort": {
        "field": "opened_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "kind",
      "subject",
      "state",
      "severity",
      "title",
      "message",
      "count",
      "opened_at",
      "updated_at",
      "acknowledged_at",
      "acknowledged_by",
      "resolved_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "kind": {
        "type": "string",
        "enum": [
          "host_unreachable",
          "drain_blocked",
          "host_disk_low",
          "server_disk_low",
          "operations_failing",
          "queue_stuck",
          "mail_failing",
          "kms_key_changed",
          "schedule_failing",
          "backup_old"
        ],
        "readOnly": true
      },
      "subject": {
        "type": "string",
        "maxLength": 200,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "open",
          "acknowledged",
          "over"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "severity": {
        "type": "string",
        "enum": [
          "warning",
          "critical"
        ],
        "readOnly": true
      },
      "title": {
        "type": "string",
        "maxLength": 200,
        "readOnly": true
      },
      "message": {
        "type": "string",
        "maxLength": 1000,
        "readOnly": true
      },
      "count": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "How often."
      },
      "opened_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "acknowledged_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "acknowledged_by": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 100,
        "readOnly": true
      },
      "resolved_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminAnnouncement": {
    "type": "object",
    "description": "What people are told in the console, above every page.",
    "x-admin": {
      "title_field": "title",
      "group": "content",
      "columns": [
        "title",
        "state",
        "severity",
        "audience",
        "starts_at",
        "ends_at"
      ],
      "filters": [
        "state",
        "severity",
        "audience"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "title",
      "text",
      "state",
      "severity",
      "audience",
      "workspaces",
      "teepod_id",
      "node_id",
      "kms_id",
      "os_image_id",
      "starts_at",
      "ends_at",
      "dismissible",
      "link",
      "notify",
      "dismissed_count",
      "created_by",
      "published_at",
      "ended_at",
      "notified_at",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "title": {
        "type": "string",
        "minLength": 1,
        "maxLength": 120
      },
      "text": {
        "type": "string",
        "minLength": 1,
        "maxLength": 4000,
        "x-admin": {
          "widget": "textarea"
        },
        "description": "Plain text. Blank lines make paragraphs, lines that begin with - a list; **bold**, `code` and [words](https://…) are understood."
      },
      "state": {
        "type": "string",
        "enum": [
          "draft",
          "scheduled",
          "live",
          "ended"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "severity": {
        "type": "string",
        "enum": [
          "info",
          "warning",
          "critical"
        ]
      },
      "audience": {
        "type": "string",
        "enum": [
          "everybody",
          "workspaces",
          "teepod",
          "node",
          "kms",
          "os_image"
        ],
        "description": "Whom it is for. Everybody is also who is not signed in: public pages show it. Of a teepod, node, KMS or OS image: members of the workspaces with a CVM on it."
      },
      "workspaces": {
        "type": "array",
        "maxItems": 200,
        "items": {
          "type": "string",
          "minLength": 1,
          "maxLength": 64
        },
        "description": "For the audience workspaces: their slugs, one a line."
      },
      "teepod_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "teepods"
        }
      },
      "node_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "nodes"
        }
      },
      "kms_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "kms"
        }
      },
      "os_image_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "os-images"
        }
      },
      "starts_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "description": "Empty: as soon as it is published."
      },
      "ends_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "description": "Empty: until somebody ends it."
      },
      "dismissible": {
        "type": "boolean",
        "description": "Whether people may close it."
      },
      "link": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "pattern": "^(https?://|/)[^\\s]*$",
        "description": "Where there is more to read: an address, or a path of this server."
      },
      "notify": {
        "type": "boolean",
        "description": "Also in the bell and by mail, to those who want that. Critical ones only."
      },
      "dismissed_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "created_by": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true
      },
      "published_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "ended_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "notified_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminApp": {
    "type": "object",
    "description": "An app of whichever team.",
    "x-admin": {
      "title_field": "name",
      "group": "compute",
      "columns": [
        "name",
        "team_id",
        "cvm_count",
        "revision_count",
        "created_at",
        "archived_at"
      ],
      "filters": [
        "team_id",
        "kms_id",
        "name",
        "created_by",
        "created_at",
        "archived_at"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "public_id",
      "name",
      "team_id",
      "team_slug",
      "kms_id",
      "cvm_count",
      "revision_count",
      "created_by",
      "created_at",
      "archived_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "maxLength": 40,
        "minLength": 40,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "public_id": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "name": {
        "type": "string",
        "maxLength": 128,
        "readOnly": true
      },
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces"
        }
      },
      "team_slug": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "kms_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "kms"
        }
      },
      "cvm_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "revision_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "created_by": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "users"
        }
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "archived_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminAudit": {
    "type": "object",
    "description": "One entry of an audit log: of the platform, or of a team. Secrets are masked.",
    "x-admin": {
      "title_field": "action",
      "group": "system",
      "columns": [
        "action",
        "at",
        "actor",
        "actor_kind",
        "team_id",
        "target_kind",
        "target_id",
        "chain_state"
      ],
      "filters": [
        "at",
        "action",
        "actor_kind",
        "actor_user_id",
        "team_id",
        "target_kind",
        "target_id",
        "request_id",
        "chain_state"
      ],
      "sort": {
        "field": "id",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "at",
      "action",
      "actor_kind",
      "actor_user_id",
      "actor",
      "on_behalf_of",
      "team_id",
      "target_kind",
      "target_id",
      "request_id",
      "ip",
      "user_agent",
      "before",
      "after",
      "seq",
      "hash",
      "entry_state",
      "chain_state",
      "chain_checked_at",
      "chain_broken"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 9007199254740991,
        "readOnly": true
      },
      "at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "action": {
        "type": "string",
        "maxLength": 100,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "actor_kind": {
        "type": "string",
        "enum": [
          "user",
          "token",
          "system",
          "cli",
          "anonymous",
          "staff"
        ],
        "readOnly": true
      },
      "actor_user_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "users"
        }
      },
      "actor": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200,
        "readOnly": true,
        "description": "Their name when it was done."
      },
      "on_behalf_of": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 300,
        "readOnly": true,
        "description": "Platform staff who did it as the actor."
      },
      "team_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces"
        },
        "description": "Whose log it stands in; none for the platform."
      },
      "target_kind": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true
      },
      "target_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "request_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        },
        "description": "The same in the reply's X-Request-Id, in every line the server logged for it, and on what it began."
      },
      "ip": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 100,
        "readOnly": true
      },
      "user_agent": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 400,
        "readOnly": true
      },
      "before": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 262144,
        "readOnly": true,
        "x-admin": {
          "widget": "code"
        },
        "description": "JSON; null in lists."
      },
      "after": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 262144,
        "readOnly": true,
        "x-admin": {
          "widget": "code"
        },
        "description": "JSON; null in lists."
      },
      "seq": {
        "type": "integer",
        "minimum": 1,
        "maximum": 9007199254740991,
        "readOnly": true,
        "description": "Place in its chain."
      },
      "hash": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "entry_state": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "intact",
          "broken",
          null
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        },
        "description": "Whether this entry and the link to the one before it are as written; null in lists."
      },
      "chain_state": {
        "type": "string",
        "enum": [
          "not_checked",
          "intact",
          "broken"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        },
        "description": "What the last check of the whole chain found."
      },
      "chain_checked_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "chain_broken": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 300,
        "readOnly": true
      }
    }
  },
  "AdminBulkJob": {
    "type": "object",
    "description": "One thing done to many rows by a worker, each as its own request of the person who asked.",
    "x-admin": {
      "title_field": "id",
      "group": "system",
      "columns": [
        "resource",
        "action",
        "state",
        "done",
        "total",
        "failed",
        "username",
        "created_at"
      ],
      "filters": [
        "state",
        "resource",
        "action",
        "user_id"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "resource",
      "action",
      "state",
      "total",
      "done",
      "succeeded",
      "failed",
      "skipped",
      "body",
      "filter",
      "user_id",
      "username",
      "created_at",
      "updated_at",
      "started_at",
      "finished_at",
      "cancel_requested_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "resource": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "action": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "description": "`edit`, `delete`, or an action of the resource."
      },
      "state": {
        "type": "string",
        "enum": [
          "queued",
          "running",
          "finished",
          "cancelled"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        },
        "description": "`finished` when no row is left, whatever became of them."
      },
      "total": {
        "type": "integer",
        "minimum": 0,
        "maximum": 10000,
        "readOnly": true
      },
      "done": {
        "type": "integer",
        "minimum": 0,
        "maximum": 10000,
        "readOnly": true
      },
      "succeeded": {
        "type": "integer",
        "minimum": 0,
        "maximum": 10000,
        "readOnly": true
      },
      "failed": {
        "type": "integer",
        "minimum": 0,
        "maximum": 10000,
        "readOnly": true
      },
      "skipped": {
        "type": "integer",
        "minimum": 0,
        "maximum": 10000,
        "readOnly": true
      },
      "body": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "readOnly": true,
        "x-admin": {
          "widget": "code"
        },
        "description": "What was sent for each row."
      },
      "filter": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "readOnly": true,
        "x-admin": {
          "widget": "code"
        },
        "description": "How the rows were chosen; null when by id."
      },
      "user_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "users"
        }
      },
      "username": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "started_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "finished_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "cancel_requested_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminContractDevice": {
    "type": "object",
    "description": "A machine and whether a contract lets a KMS run on it.",
    "required": [
      "device_id",
      "node_name",
      "allowed"
    ],
    "properties": {
      "device_id": {
        "type": "string",
        "maxLength": 66,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "node_name": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 100,
        "readOnly": true
      },
      "allowed": {
        "type": "boolean",
        "readOnly": true
      }
    }
  },
  "AdminContractOsImage": {
    "type": "object",
    "description": "An OS image and whether a contract lets apps boot it.",
    "required": [
      "os_image_hash",
      "name",
      "allowed"
    ],
    "properties": {
      "os_image_hash": {
        "type": "string",
        "maxLength": 66,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "name": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 120,
        "readOnly": true
      },
      "allowed": {
        "type": "boolean",
        "readOnly": true
      }
    }
  },
  "AdminCvm": {
    "type": "object",
    "description": "A confidential VM of whichever team; also those that are gone.",
    "x-admin": {
      "title_field": "name",
      "group": "compute",
      "columns": [
        "name",
        "status",
        "team_id",
        "app_id",
        "teepod_id",
        "instance_type",
        "os_image",
        "created_at"
      ],
      "filters": [
        "status",
        "team_id",
        "teepod_id",
        "kms_id",
        "os_image",
        "instance_type",
        "app_id",
        "name",
        "created_at",
        "deleted_at"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "public_id",
      "name",
      "status",
      "status_reason",
      "desired",
      "team_id",
      "team_slug",
      "app_id",
      "app_name",
      "teepod_id",
      "node_id",
      "kms_id",
      "instance_type",
      "os_image",
      "vcpu",
      "memory_mb",
      "disk_gb",
      "hourly_rate",
      "host_vm_id",
      "instance_id",
      "boot_progress",
      "boot_error",
      "created_by",
      "created_at",
      "updated_at",
      "started_at",
      "observed_at",
      "deleted_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "maxLength": 36,
        "minLength": 36,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "public_id": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "name": {
        "type": "string",
        "maxLength": 128,
        "readOnly": true
      },
      "status": {
        "type": "string",
        "enum": [
          "creating",
          "starting",
          "running",
          "stopping",
          "shutting_down",
          "stopped",
          "restarting",
          "updating",
          "resizing",
          "deleting",
          "deleted",
          "error"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "status_reason": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "readOnly": true
      },
      "desired": {
        "type": "string",
        "enum": [
          "running",
          "stopped",
          "deleted"
        ],
        "readOnly": true
      },
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces"
        }
      },
      "team_slug": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "app_id": {
        "type": "string",
        "maxLength": 40,
        "readOnly": true,
        "x-admin": {
          "reference": "apps"
        }
      },
      "app_name": {
        "type": "string",
        "maxLength": 128,
        "readOnly": true
      },
      "teepod_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "teepods"
        }
      },
      "node_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "nodes"
        }
      },
      "kms_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "kms"
        }
      },
      "instance_type": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "reference": "instance-types"
        }
      },
      "os_image": {
        "type": "string",
        "maxLength": 120,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "vcpu": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000,
        "readOnly": true
      },
      "memory_mb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "disk_gb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "hourly_rate": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        },
        "description": "What an hour costs while it runs."
      },
      "host_vm_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 128,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "instance_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "boot_progress": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "readOnly": true
      },
      "boot_error": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "readOnly": true
      },
      "created_by": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "users"
        }
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "started_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "observed_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "deleted_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminDrain": {
    "type": "object",
    "description": "A teepod being emptied.",
    "x-admin": {
      "title_field": "id",
      "group": "infrastructure",
      "columns": [
        "id",
        "teepod_id",
        "state",
        "total_cvms",
        "moved_cvms",
        "stopped_cvms",
        "blocked_cvms",
        "created_at"
      ],
      "filters": [
        "state",
        "teepod_id"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "teepod_id",
      "state",
      "movable",
      "others",
      "stop_at",
      "reason",
      "message",
      "total_cvms",
      "waiting_cvms",
      "moved_cvms",
      "stopped_cvms",
      "blocked_cvms",
      "requested_by",
      "created_at",
      "updated_at",
      "finished_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "teepod_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "teepods"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "running",
          "blocked",
          "succeeded",
          "cancelled"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "movable": {
        "type": "string",
        "enum": [
          "move",
          "stop"
        ],
        "readOnly": true
      },
      "others": {
        "type": "string",
        "enum": [
          "stop",
          "leave"
        ],
        "readOnly": true
      },
      "stop_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "reason": {
        "type": "string",
        "maxLength": 500,
        "readOnly": true
      },
      "message": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "readOnly": true,
        "description": "What is in the way."
      },
      "total_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "waiting_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "moved_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "stopped_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "blocked_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "requested_by": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "finished_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminDrainCvm": {
    "type": "object",
    "description": "One CVM of a teepod that is emptied.",
    "x-admin": {
      "title_field": "name",
      "group": "infrastructure",
      "columns": [
        "name",
        "team_slug",
        "action",
        "state",
        "message",
        "to_teepod",
        "updated_at"
      ],
      "filters": [
        "drain_id",
        "state",
        "action",
        "team_slug"
      ],
      "sort": {
        "field": "id",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "drain_id",
      "name",
      "vm_uuid",
      "team_slug",
      "action",
      "state",
      "message",
      "to_teepod",
      "notified_at",
      "created_at",
      "updated_at",
      "finished_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "drain_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "drains"
        }
      },
      "name": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "vm_uuid": {
        "type": "string",
        "maxLength": 36,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "team_slug": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "action": {
        "type": "string",
        "enum": [
          "move",
          "stop",
          "leave"
        ],
        "readOnly": true
      },
      "state": {
        "type": "string",
        "enum": [
          "waiting",
          "moving",
          "stopping",
          "moved",
          "stopped",
          "gone",
          "blocked",
          "cancelled"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "message": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "readOnly": true
      },
      "to_teepod": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 100,
        "readOnly": true
      },
      "notified_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "finished_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminGpu": {
    "type": "object",
    "description": "A GPU of a host: who has it, and who can.",
    "x-admin": {
      "title_field": "name",
      "group": "infrastructure",
      "columns": [
        "name",
        "description",
        "state",
        "team_id",
        "cvm_id",
        "reported",
        "last_seen_at"
      ],
      "filters": [
        "teepod_id",
        "state",
        "team_id",
        "reserved",
        "reported",
        "description",
        "product_id"
      ],
      "sort": {
        "field": "name",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "name",
      "teepod_id",
      "slot",
      "product_id",
      "description",
      "state",
      "team_id",
      "reserved",
      "attached",
      "cvm_id",
      "held_until",
      "fault",
      "reported",
      "used_elsewhere",
      "last_seen_at",
      "notes",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "name": {
        "type": "string",
        "maxLength": 200,
        "description": "Host and slot.",
        "readOnly": true
      },
      "teepod_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "teepods"
        }
      },
      "slot": {
        "type": "string",
        "maxLength": 64,
        "minLength": 4,
        "pattern": "^([0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]$",
        "description": "PCI address, as the host names it: 0000:17:00.0.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "product_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 9,
        "pattern": "^[0-9a-f]{4}:[0-9a-f]{4}$",
        "description": "PCI ids of vendor and product: 10de:2335 is an H200.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "description": {
        "type": "string",
        "maxLength": 500,
        "description": "What it is, for example H200 NVL; the host tells it."
      },
      "state": {
        "type": "string",
        "enum": [
          "free",
          "reserved",
          "attached",
          "faulty"
        ],
        "description": "`reserved` is for a team, or for a deployment that is not committed yet.",
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "team_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "description": "The team that has it, or that it is reserved for.",
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces"
        }
      },
      "reserved": {
        "type": "boolean",
        "description": "Kept for its team, also when no CVM has it.",
        "readOnly": true
      },
      "attached": {
        "type": "boolean",
        "description": "A CVM has it.",
        "readOnly": true
      },
      "cvm_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 36,
        "description": "The CVM that has it.",
        "readOnly": true,
        "x-admin": {
          "reference": "cvms"
        }
      },
      "held_until": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "description": "A deployment holds it until then, and is not committed yet.",
        "readOnly": true
      },
      "fault": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "description": "Why it is out of use.",
        "readOnly": true
      },
      "reported": {
        "type": "boolean",
        "description": "The host has it now.",
        "readOnly": true
      },
      "used_elsewhere": {
        "type": "boolean",
        "description": "The host has given it to a VM that is none of ours, so no CVM gets it.",
        "readOnly": true
      },
      "last_seen_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "notes": {
        "type": "string",
        "maxLength": 4000,
        "x-admin": {
          "widget": "textarea"
        }
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminGpuEvent": {
    "type": "object",
    "description": "Something that happened to a GPU.",
    "x-admin": {
      "title_field": "id",
      "group": "infrastructure",
      "columns": [
        "at",
        "gpu_id",
        "kind",
        "team_id",
        "cvm_id",
        "note",
        "user_id"
      ],
      "filters": [
        "gpu_id",
        "kind",
        "team_id",
        "cvm_id"
      ],
      "sort": {
        "field": "id",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "at",
      "gpu_id",
      "kind",
      "team_id",
      "cvm_id",
      "note",
      "user_id"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 9007199254740991,
        "readOnly": true
      },
      "at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "gpu_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "gpus"
        }
      },
      "kind": {
        "type": "string",
        "enum": [
          "added",
          "found",
          "lost",
          "reserved",
          "released",
          "held",
          "attached",
          "freed",
          "faulty",
          "repaired"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "team_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces"
        }
      },
      "cvm_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 36,
        "readOnly": true,
        "x-admin": {
          "reference": "cvms"
        }
      },
      "note": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "readOnly": true
      },
      "user_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "description": "Who did it; null where it followed from something else.",
        "readOnly": true,
        "x-admin": {
          "reference": "users"
        }
      }
    }
  },
  "AdminInstanceEvent": {
    "type": "object",
    "description": "Something that happened to an app or a CVM of a team, as its team sees it.",
    "x-admin": {
      "title_field": "message",
      "group": "compute",
      "columns": [
        "created_at",
        "severity",
        "kind",
        "message",
        "team_id",
        "cvm_id",
        "actor_id"
      ],
      "filters": [
        "kind",
        "severity",
        "team_id",
        "cvm_id",
        "app_id",
        "correlation_id",
        "request_id",
        "actor_id",
        "created_at"
      ],
      "sorts": [
        "created_at",
        "id",
        "kind"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "created_at",
      "kind",
      "severity",
      "message",
      "team_id",
      "team_slug",
      "app_id",
      "cvm_id",
      "cvm_name",
      "correlation_id",
      "request_id",
      "operation_type",
      "actor_id",
      "actor",
      "data"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "kind": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "severity": {
        "type": "string",
        "enum": [
          "info",
          "warning",
          "error"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "message": {
        "type": "string",
        "maxLength": 2000,
        "readOnly": true
      },
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces"
        }
      },
      "team_slug": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "app_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 40,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "cvm_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 36,
        "readOnly": true,
        "x-admin": {
          "reference": "cvms"
        }
      },
      "cvm_name": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 128,
        "readOnly": true
      },
      "correlation_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 36,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        },
        "description": "Of the operation it belongs to."
      },
      "request_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        },
        "description": "The request that began it, as the audit log and the server's log lines name it; none for what happened by itself."
      },
      "operation_type": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 16,
        "readOnly": true
      },
      "actor_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "users"
        }
      },
      "actor": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "description": "Who asked for it."
      },
      "data": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "readOnly": true,
        "x-admin": {
          "widget": "code"
        },
        "description": "Null in lists."
      }
    }
  },
  "AdminInstanceType": {
    "type": "object",
    "description": "A size with a price, as the catalogue keeps it.",
    "x-admin": {
      "title_field": "id",
      "group": "catalogue",
      "columns": [
        "id",
        "family",
        "vcpu",
        "memory_mb",
        "hourly_rate",
        "state",
        "cvm_count"
      ],
      "filters": [
        "family",
        "state",
        "requires_gpu"
      ],
      "sort": {
        "field": "sort_order",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "family",
      "name",
      "description",
      "vcpu",
      "memory_mb",
      "default_disk_size_gb",
      "hourly_rate",
      "requires_gpu",
      "gpu_count",
      "state",
      "sort_order",
      "cvm_count",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "maxLength": 64,
        "pattern": "^[a-z0-9]+(\\.[a-z0-9-]+)*$",
        "minLength": 2,
        "description": "For example tdx.small. Cannot change.",
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "family": {
        "type": "string",
        "enum": [
          "cpu",
          "gpu"
        ]
      },
      "name": {
        "type": "string",
        "maxLength": 100,
        "minLength": 1
      },
      "description": {
        "type": "string",
        "maxLength": 1000,
        "x-admin": {
          "widget": "textarea"
        }
      },
      "vcpu": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1024
      },
      "memory_mb": {
        "type": "integer",
        "minimum": 128,
        "maximum": 16777216
      },
      "default_disk_size_gb": {
        "type": "integer",
        "minimum": 1,
        "maximum": 65536
      },
      "hourly_rate": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,6})?$",
        "description": "US dollars per hour, a decimal string.",
        "x-admin": {
          "widget": "money"
        }
      },
      "requires_gpu": {
        "type": "boolean"
      },
      "gpu_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 64
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "retired"
        ],
        "x-admin": {
          "widget": "status"
        }
      },
      "sort_order": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000
      },
      "cvm_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminKms": {
    "type": "object",
    "description": "A key management service: it gives apps their keys.",
    "x-admin": {
      "title_field": "slug",
      "group": "infrastructure",
      "columns": [
        "slug",
        "type",
        "health",
        "state",
        "local",
        "teepod_count",
        "app_count",
        "cvm_count",
        "checked_at"
      ],
      "filters": [
        "type",
        "state",
        "health",
        "local",
        "chain"
      ],
      "sort": {
        "field": "slug",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "slug",
      "type",
      "local",
      "url",
      "version",
      "state",
      "health",
      "k256_pubkey",
      "ca_pubkey",
      "seen_k256_pubkey",
      "seen_ca_pubkey",
      "chain",
      "kms_contract_address",
      "gateway_app_id",
      "teepod_count",
      "contract_count",
      "app_count",
      "cvm_count",
      "notices",
      "checked_at",
      "answered_at",
      "last_error",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "slug": {
        "type": "string",
        "maxLength": 64,
        "minLength": 2,
        "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
        "description": "Its name for people and clients."
      },
      "type": {
        "type": "string",
        "enum": [
          "phala",
          "ethereum",
          "base",
          "legacy"
        ],
        "description": "What clients ask for by name; ethereum and base are governed by a contract."
      },
      "local": {
        "type": "boolean",
        "description": "The built-in one of the local teepod: no hardware protects its keys.",
        "readOnly": true
      },
      "url": {
        "type": "string",
        "maxLength": 2000,
        "minLength": 1,
        "pattern": "^(https?://|unix:/)",
        "description": "Base URL: https://kms.example:8000. Its certificate is its own; the pinned keys are what is trusted.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "version": {
        "type": "string",
        "maxLength": 64,
        "description": "As its operator says.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "retiring",
          "retired"
        ],
        "description": "`retiring` takes no new apps; `retired` has none left."
      },
      "health": {
        "type": "string",
        "enum": [
          "unchecked",
          "ok",
          "unpinned",
          "unreachable",
          "alarm"
        ],
        "description": "`alarm`: it has other keys than those pinned, so nothing it says is believed. `unpinned`: it answers, and no key is pinned.",
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "k256_pubkey": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 512,
        "pattern": "^0[23][0-9a-f]{64}$",
        "description": "The secp256k1 root key that every environment key must be signed by (33 bytes, hex). Compare it with its operator or its contract first.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "ca_pubkey": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 512,
        "pattern": "^([0-9a-f]{2}){32,255}$",
        "description": "The root CA key (SPKI in DER, hex), which guests measure as their key provider.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "seen_k256_pubkey": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 512,
        "description": "What it said its k256 key is when it last answered.",
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "seen_ca_pubkey": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 512,
        "description": "What it said its CA key is when it last answered.",
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "chain": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "ethereum",
          "base",
          "sepolia",
          "local",
          null
        ],
        "description": "Chain of the contract that governs it."
      },
      "kms_contract_address": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 42,
        "pattern": "^0x[0-9a-fA-F]{40}$",
        "x-admin": {
          "widget": "mono"
        }
      },
      "gateway_app_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200,
        "x-admin": {
          "widget": "mono"
        }
      },
      "teepod_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "contract_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "app_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "cvm_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "notices": {
        "type": "array",
        "maxItems": 20,
        "items": {
          "type": "string",
          "maxLength": 1000
        },
        "readOnly": true
      },
      "checked_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "answered_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "last_error": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminKmsContract": {
    "type": "object",
    "description": "The contract that governs a key management service, as it stands on its chain.",
    "x-admin": {
      "title_field": "label",
      "group": "infrastructure",
      "columns": [
        "label",
        "chain",
        "address",
        "kms_id",
        "health",
        "state",
        "read_at"
      ],
      "filters": [
        "chain",
        "kms_id",
        "state",
        "health"
      ],
      "sort": {
        "field": "label",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "label",
      "chain",
      "address",
      "kms_id",
      "state",
      "health",
      "notices",
      "code_present",
      "owner",
      "pending_owner",
      "app_implementation",
      "gateway_app_id",
      "k256_pubkey",
      "ca_pubkey",
      "keys_match",
      "app_count",
      "os_images",
      "devices",
      "aggregated_mrs",
      "complete",
      "read_at",
      "block_number",
      "block_at",
      "attempted_at",
      "last_error",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "label": {
        "type": "string",
        "maxLength": 100,
        "minLength": 1
      },
      "chain": {
        "type": "string",
        "enum": [
          "ethereum",
          "base",
          "sepolia",
          "local"
        ],
        "description": "`local` is a development chain of this machine (31337)."
      },
      "address": {
        "type": "string",
        "maxLength": 42,
        "minLength": 42,
        "pattern": "^0x[0-9a-fA-F]{40}$",
        "x-admin": {
          "widget": "mono"
        }
      },
      "kms_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "description": "Its keys are compared with those in the contract.",
        "x-admin": {
          "reference": "kms"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "retiring",
          "retired"
        ],
        "description": "A retired one is not read any more."
      },
      "health": {
        "type": "string",
        "enum": [
          "unread",
          "ok",
          "alarm",
          "unreachable"
        ],
        "description": "`alarm`: what the chain says is not what it should be. `unreachable`: what is shown is as old as read_at.",
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "notices": {
        "type": "array",
        "maxItems": 20,
        "items": {
          "type": "string",
          "maxLength": 1000
        },
        "readOnly": true
      },
      "code_present": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "There is a contract at this address.",
        "readOnly": true
      },
      "owner": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 42,
        "description": "Who can change it.",
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "pending_owner": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 42,
        "description": "Whom its ownership was offered to.",
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "app_implementation": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 42,
        "description": "What contracts of new apps are made from.",
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "gateway_app_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200,
        "description": "The gateway apps may trust; any turns that check off.",
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "k256_pubkey": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 512,
        "description": "Root key of the KMS, as the contract has it.",
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "ca_pubkey": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 512,
        "description": "CA key of the KMS, as the contract has it.",
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "keys_match": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Whether these are the keys pinned for its KMS; null where one of the two is not known.",
        "readOnly": true
      },
      "app_count": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 2147483647,
        "description": "Apps registered with it.",
        "readOnly": true
      },
      "os_images": {
        "type": "array",
        "maxItems": 500,
        "items": {
          "$ref": "#/components/schemas/AdminContractOsImage"
        },
        "readOnly": true
      },
      "devices": {
        "type": "array",
        "maxItems": 500,
        "items": {
          "$ref": "#/components/schemas/AdminContractDevice"
        },
        "readOnly": true
      },
      "aggregated_mrs": {
        "type": "array",
        "maxItems": 500,
        "items": {
          "type": "string",
          "maxLength": 66
        },
        "description": "Measurements of KMS instances that it allows.",
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "complete": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "The lists are all it allows; false: only what this server knows was asked for, as the RPC gave no events.",
        "readOnly": true
      },
      "read_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "block_number": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 9007199254740991,
        "description": "The block it was read at.",
        "readOnly": true
      },
      "block_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "attempted_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "last_error": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminMaintenanceWindow": {
    "type": "object",
    "description": "A time in which a node is worked on. Nothing new is placed there meanwhile; what runs there goes on.",
    "x-admin": {
      "title_field": "reason",
      "group": "infrastructure",
      "columns": [
        "reason",
        "node_id",
        "state",
        "starts_at",
        "ends_at"
      ],
      "filters": [
        "node_id",
        "state"
      ],
      "sort": {
        "field": "starts_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "node_id",
      "state",
      "starts_at",
      "ends_at",
      "notice_hours",
      "reason",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "node_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "nodes"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "planned",
          "announced",
          "active",
          "over"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "starts_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40
      },
      "ends_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40
      },
      "notice_hours": {
        "type": "integer",
        "minimum": 0,
        "maximum": 720,
        "description": "How long before its begin the teams are told."
      },
      "reason": {
        "type": "string",
        "minLength": 3,
        "maxLength": 500,
        "description": "Told to the teams."
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminMember": {
    "type": "object",
    "description": "A person in a team.",
    "x-admin": {
      "title_field": "username",
      "group": "people",
      "columns": [
        "user_id",
        "team_id",
        "role",
        "last_seen_at",
        "created_at"
      ],
      "filters": [
        "team_id",
        "user_id",
        "role",
        "created_at"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "team_id",
      "user_id",
      "username",
      "team_slug",
      "role",
      "is_default",
      "sso",
      "last_seen_at",
      "created_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "maxLength": 40,
        "readOnly": true
      },
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces"
        }
      },
      "user_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "users"
        }
      },
      "username": {
        "type": "string",
        "maxLength": 200,
        "readOnly": true
      },
      "team_slug": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "role": {
        "type": "string",
        "enum": [
          "viewer",
          "member",
          "billing",
          "admin",
          "owner"
        ],
        "readOnly": true
      },
      "is_default": {
        "type": "boolean",
        "readOnly": true,
        "description": "Where they begin after signing in."
      },
      "sso": {
        "type": "boolean",
        "readOnly": true,
        "description": "Single sign-on made them a member, and keeps their role."
      },
      "last_seen_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminMonitoringEvent": {
    "type": "object",
    "description": "An error envelope that a browser sent, and where it went.",
    "x-admin": {
      "title_field": "message",
      "group": "system",
      "columns": [
        "received_at",
        "kind",
        "message",
        "destination",
        "environment",
        "release"
      ],
      "filters": [
        "destination",
        "kind",
        "project",
        "environment",
        "release"
      ],
      "sort": {
        "field": "received_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "received_at",
      "organization",
      "project",
      "kind",
      "message",
      "destination",
      "last_error",
      "environment",
      "release",
      "envelope"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "received_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "organization": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true
      },
      "project": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true
      },
      "kind": {
        "type": "string",
        "maxLength": 64,
        "description": "event, transaction, session, …",
        "readOnly": true
      },
      "message": {
        "type": "string",
        "maxLength": 2000,
        "readOnly": true
      },
      "destination": {
        "type": "string",
        "enum": [
          "kept",
          "forwarded",
          "failed"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        },
        "description": "`kept`: no error-reporting service is configured. `failed`: the service did not take it, so it is kept here."
      },
      "last_error": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "readOnly": true
      },
      "environment": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true
      },
      "release": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "envelope": {
        "type": "string",
        "maxLength": 1048576,
        "readOnly": true,
        "x-redact": true,
        "x-admin": {
          "widget": "code"
        },
        "description": "Empty where the service has it."
      }
    }
  },
  "AdminNode": {
    "type": "object",
    "description": "A physical machine that carries teepods.",
    "x-admin": {
      "title_field": "name",
      "group": "infrastructure",
      "columns": [
        "name",
        "region",
        "state",
        "teepod_count",
        "updated_at"
      ],
      "filters": [
        "region",
        "state",
        "name"
      ],
      "sort": {
        "field": "name",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "name",
      "region",
      "state",
      "fmspc",
      "device_id",
      "ppid",
      "notes",
      "teepod_count",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "name": {
        "type": "string",
        "maxLength": 100,
        "minLength": 1,
        "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$"
      },
      "region": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64
      },
      "state": {
        "type": "string",
        "enum": [
          "online",
          "maintenance",
          "offline"
        ],
        "x-admin": {
          "widget": "status"
        }
      },
      "fmspc": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 32,
        "x-admin": {
          "widget": "mono"
        }
      },
      "device_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 128,
        "x-admin": {
          "widget": "mono"
        }
      },
      "ppid": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 128,
        "x-admin": {
          "widget": "mono"
        }
      },
      "notes": {
        "type": "string",
        "maxLength": 4000,
        "x-admin": {
          "widget": "textarea"
        }
      },
      "teepod_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminOsImage": {
    "type": "object",
    "description": "An operating system image that hosts boot CVMs with; its digest is what attestation proves.",
    "x-admin": {
      "title_field": "name",
      "group": "infrastructure",
      "columns": [
        "name",
        "version",
        "state",
        "is_dev",
        "os_image_hash",
        "teepod_count",
        "cvm_count"
      ],
      "filters": [
        "state",
        "is_dev",
        "requires_gpu",
        "version",
        "name"
      ],
      "sort": {
        "field": "name",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "name",
      "slug",
      "version",
      "os_image_hash",
      "is_dev",
      "requires_gpu",
      "state",
      "teepod_count",
      "teepods",
      "cvm_count",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "name": {
        "type": "string",
        "maxLength": 120,
        "readOnly": true
      },
      "slug": {
        "type": "string",
        "maxLength": 160,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "version": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "os_image_hash": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 128,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "is_dev": {
        "type": "boolean",
        "readOnly": true
      },
      "requires_gpu": {
        "type": "boolean",
        "readOnly": true
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "recommended",
          "retired"
        ],
        "description": "Of several a new CVM gets a recommended one; a retired one is given to none, and stays with those that have it.",
        "x-admin": {
          "widget": "status"
        }
      },
      "teepod_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "teepods": {
        "type": "array",
        "maxItems": 500,
        "items": {
          "type": "string",
          "maxLength": 100
        },
        "readOnly": true
      },
      "cvm_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminOutboxMail": {
    "type": "object",
    "description": "A mail of this server. Its text holds single-use links and is kept only until it is sent.",
    "x-admin": {
      "title_field": "subject",
      "group": "system",
      "columns": [
        "subject",
        "to",
        "state",
        "created_at",
        "attempts",
        "sent_at"
      ],
      "filters": [
        "state",
        "template",
        "to"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "created_at",
      "to",
      "template",
      "subject",
      "state",
      "attempts",
      "next_attempt_at",
      "last_error",
      "sent_at",
      "team_slug",
      "text"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "to": {
        "type": "string",
        "maxLength": 254,
        "readOnly": true
      },
      "template": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "subject": {
        "type": "string",
        "maxLength": 300,
        "readOnly": true
      },
      "state": {
        "type": "string",
        "enum": [
          "queued",
          "sending",
          "sent",
          "failed",
          "kept"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        },
        "description": "`kept`: no mail server is configured, so it waits here to be read."
      },
      "attempts": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000,
        "readOnly": true
      },
      "next_attempt_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "last_error": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "readOnly": true
      },
      "sent_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "team_slug": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true
      },
      "text": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 20000,
        "readOnly": true,
        "x-redact": true,
        "x-admin": {
          "widget": "code"
        },
        "description": "Null in lists and once it is sent."
      }
    }
  },
  "AdminQueue": {
    "type": "object",
    "description": "Work that this server does in the background.",
    "x-admin": {
      "title_field": "name",
      "group": "system",
      "columns": [
        "name",
        "state",
        "waiting",
        "running",
        "failed",
        "oldest_due_at",
        "done_last_hour"
      ],
      "filters": [
        "state"
      ],
      "sort": {
        "field": "name",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "name",
      "about",
      "state",
      "waiting",
      "running",
      "failed",
      "oldest_due_at",
      "done_last_hour",
      "failed_last_hour"
    ],
    "properties": {
      "id": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "name": {
        "type": "string",
        "maxLength": 100,
        "readOnly": true
      },
      "about": {
        "type": "string",
        "maxLength": 300,
        "readOnly": true
      },
      "state": {
        "type": "string",
        "enum": [
          "idle",
          "working",
          "late",
          "failing"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        },
        "description": "`late`: something has been due for more than five minutes. `failing`: something failed within the hour."
      },
      "waiting": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "running": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "failed": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Within seven days."
      },
      "oldest_due_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "description": "Since when the longest waiting has been due."
      },
      "done_last_hour": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "failed_last_hour": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      }
    }
  },
  "AdminQueueJob": {
    "type": "object",
    "description": "One thing that waits, runs or failed within seven days.",
    "x-admin": {
      "title_field": "name",
      "group": "system",
      "columns": [
        "name",
        "queue_id",
        "state",
        "attempts",
        "due_at",
        "worker_id",
        "last_error"
      ],
      "filters": [
        "queue_id",
        "state",
        "workspace",
        "worker_id"
      ],
      "sort": {
        "field": "due_at",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "queue_id",
      "name",
      "state",
      "attempts",
      "workspace",
      "created_at",
      "due_at",
      "worker_id",
      "lease_until",
      "finished_at",
      "last_error",
      "can_retry",
      "can_cancel",
      "payload"
    ],
    "properties": {
      "id": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "queue_id": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "reference": "queue-workers"
        }
      },
      "name": {
        "type": "string",
        "maxLength": 200,
        "readOnly": true
      },
      "state": {
        "type": "string",
        "enum": [
          "waiting",
          "running",
          "failed"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "attempts": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "workspace": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "due_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "worker_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "reference": "workers"
        }
      },
      "lease_until": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "finished_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "last_error": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "readOnly": true
      },
      "can_retry": {
        "type": "boolean",
        "readOnly": true
      },
      "can_cancel": {
        "type": "boolean",
        "readOnly": true
      },
      "payload": {
        "type": "string",
        "maxLength": 20000,
        "readOnly": true,
        "x-admin": {
          "widget": "code"
        },
        "description": "As JSON; secrets and sealed values are masked. Empty in lists."
      }
    }
  },
  "AdminSchedule": {
    "type": "object",
    "description": "Work that is done every so often.",
    "x-admin": {
      "title_field": "name",
      "group": "system",
      "columns": [
        "name",
        "every_seconds",
        "last_run_at",
        "next_run_at",
        "duration_ms",
        "runs",
        "failures"
      ],
      "filters": [
        "worker_id"
      ],
      "sort": {
        "field": "name",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "name",
      "every_seconds",
      "last_run_at",
      "next_run_at",
      "duration_ms",
      "runs",
      "failures",
      "last_failed_at",
      "worker_id",
      "last_error"
    ],
    "properties": {
      "id": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "name": {
        "type": "string",
        "maxLength": 100,
        "readOnly": true
      },
      "every_seconds": {
        "type": "number",
        "minimum": 0,
        "maximum": 86400,
        "readOnly": true
      },
      "last_run_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "next_run_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "duration_ms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "runs": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "failures": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "last_failed_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "worker_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "reference": "workers"
        }
      },
      "last_error": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "readOnly": true
      }
    }
  },
  "AdminTeepod": {
    "type": "object",
    "description": "A TEE host process on a node.",
    "x-admin": {
      "title_field": "name",
      "group": "infrastructure",
      "columns": [
        "name",
        "node_id",
        "kind",
        "state",
        "reachable",
        "used_cvms",
        "drift",
        "version",
        "last_seen_at"
      ],
      "filters": [
        "node_id",
        "state",
        "kind",
        "reachable",
        "gpu_model",
        "name"
      ],
      "sort": {
        "field": "name",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "kind",
      "node_id",
      "name",
      "url",
      "credential_kind",
      "state",
      "gateway_base_domain",
      "kms_id",
      "max_cvms",
      "max_vcpu",
      "max_memory_mb",
      "max_disk_gb",
      "listed",
      "all_teams",
      "has_credential",
      "reachable",
      "reachable_since",
      "last_seen_at",
      "last_error",
      "version",
      "engine",
      "used_cvms",
      "used_vcpu",
      "used_memory_mb",
      "used_disk_gb",
      "host_cvms",
      "host_vcpu",
      "host_memory_mb",
      "drift",
      "gpu_model",
      "gpu_count",
      "os_images",
      "warnings",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "kind": {
        "type": "string",
        "enum": [
          "dstack_vmm",
          "local"
        ],
        "description": "`local` is the built-in one: no hardware TEE.",
        "readOnly": true
      },
      "node_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "nodes"
        }
      },
      "name": {
        "type": "string",
        "maxLength": 100,
        "minLength": 1,
        "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$"
      },
      "url": {
        "type": "string",
        "maxLength": 2000,
        "minLength": 1,
        "pattern": "^(https?://|unix:/)",
        "description": "Base URL of dstack-vmm: http://, https:// or unix:/path.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "credential_kind": {
        "type": "string",
        "enum": [
          "none",
          "bearer",
          "basic"
        ]
      },
      "state": {
        "type": "string",
        "enum": [
          "online",
          "cordoned",
          "draining",
          "offline"
        ],
        "description": "What operators want: cordoned takes no new CVMs. Whether it answers is `reachable`.",
        "x-admin": {
          "widget": "status"
        }
      },
      "gateway_base_domain": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 253,
        "description": "May carry :port.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "kms_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "kms"
        }
      },
      "max_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000
      },
      "max_vcpu": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000
      },
      "max_memory_mb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "max_disk_gb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "listed": {
        "type": "boolean",
        "description": "Shown to teams in host lists."
      },
      "all_teams": {
        "type": "boolean",
        "description": "Every team may deploy here."
      },
      "has_credential": {
        "type": "boolean",
        "readOnly": true
      },
      "reachable": {
        "type": "boolean",
        "readOnly": true
      },
      "reachable_since": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "last_seen_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "last_error": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "readOnly": true
      },
      "version": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "engine": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "description": "Container engine of the local teepod; null elsewhere.",
        "readOnly": true
      },
      "used_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "readOnly": true
      },
      "used_vcpu": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000,
        "readOnly": true
      },
      "used_memory_mb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "used_disk_gb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "host_cvms": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 2147483647,
        "description": "What the host itself says it can carry; null when it does not say.",
        "readOnly": true
      },
      "host_vcpu": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 2147483647,
        "description": "What the host itself says it can give.",
        "readOnly": true
      },
      "host_memory_mb": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 2147483647,
        "description": "What the host itself says it can give.",
        "readOnly": true
      },
      "drift": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "description": "CVMs and VMs that database and host tell differently.",
        "readOnly": true
      },
      "gpu_model": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "readOnly": true,
        "description": "What its GPUs are, as the host tells it: NVIDIA H200. Of several models the one it has most of."
      },
      "gpu_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "os_images": {
        "type": "array",
        "maxItems": 500,
        "items": {
          "type": "string",
          "maxLength": 120
        },
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "warnings": {
        "type": "array",
        "maxItems": 50,
        "items": {
          "type": "string",
          "maxLength": 1000
        },
        "description": "For example: the API is open to the network (dstack-vmm before 0.6).",
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminUsage": {
    "type": "object",
    "description": "What a CVM used and cost since the month began, up to now.",
    "x-admin": {
      "title_field": "name",
      "group": "people",
      "columns": [
        "name",
        "team_id",
        "user_id",
        "running_hours",
        "disk_hours",
        "amount"
      ],
      "filters": [
        "user_id",
        "team_id",
        "app_id",
        "name"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "name",
      "user_id",
      "team_id",
      "app_id",
      "running_hours",
      "disk_hours",
      "amount",
      "created_at",
      "deleted_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "maxLength": 36,
        "minLength": 36,
        "readOnly": true,
        "x-admin": {
          "reference": "cvms"
        }
      },
      "name": {
        "type": "string",
        "maxLength": 128,
        "readOnly": true
      },
      "user_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "users"
        },
        "description": "Who deployed it."
      },
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces"
        }
      },
      "app_id": {
        "type": "string",
        "maxLength": 40,
        "readOnly": true,
        "x-admin": {
          "reference": "apps"
        }
      },
      "running_hours": {
        "type": "number",
        "minimum": 0,
        "maximum": 1000000,
        "readOnly": true,
        "description": "At its full size."
      },
      "disk_hours": {
        "type": "number",
        "minimum": 0,
        "maximum": 1000000,
        "readOnly": true,
        "description": "Stopped, when its disk alone is paid for."
      },
      "amount": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        }
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "deleted_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminUser": {
    "type": "object",
    "description": "A person with an account. E-mail addresses are shown to whom `admin.users.pii` allows it.",
    "x-admin": {
      "title_field": "username",
      "group": "people",
      "columns": [
        "username",
        "email",
        "state",
        "platform_role",
        "team_count",
        "second_factor",
        "last_seen_at",
        "created_at"
      ],
      "filters": [
        "state",
        "platform_role",
        "second_factor",
        "username",
        "email",
        "created_at",
        "last_seen_at"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "public_id",
      "username",
      "email",
      "state",
      "platform_role",
      "email_verified_at",
      "second_factor",
      "team_count",
      "cvm_count",
      "session_count",
      "token_count",
      "last_seen_at",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "public_id": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "username": {
        "type": "string",
        "maxLength": 200,
        "readOnly": true
      },
      "email": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 254,
        "readOnly": true,
        "description": "Null without the permission to see it."
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "suspended",
          "deleted"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "platform_role": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "support",
          "finance",
          "infra",
          "admin",
          null
        ],
        "description": "What they may do in the admin area."
      },
      "email_verified_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "second_factor": {
        "type": "boolean",
        "readOnly": true,
        "description": "Whether they have one: an authenticator app or a passkey."
      },
      "team_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "cvm_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "CVMs of theirs that exist, in all teams."
      },
      "session_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Browsers that are signed in."
      },
      "token_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "API tokens that work."
      },
      "last_seen_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminView": {
    "type": "object",
    "description": "A list with filters, sort and columns under a name.",
    "x-admin": {
      "title_field": "name",
      "group": "system",
      "columns": [
        "name",
        "resource",
        "shared",
        "owner",
        "updated_at"
      ],
      "filters": [
        "resource",
        "shared",
        "mine"
      ],
      "sort": {
        "field": "name",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "resource",
      "name",
      "query",
      "shared",
      "mine",
      "owner",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "resource": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "name": {
        "type": "string",
        "maxLength": 80,
        "minLength": 1
      },
      "query": {
        "type": "string",
        "maxLength": 4000,
        "x-admin": {
          "widget": "code"
        },
        "description": "What follows the question mark in the address of the list."
      },
      "shared": {
        "type": "boolean",
        "description": "Everybody who may read saved views sees it."
      },
      "mine": {
        "type": "boolean",
        "readOnly": true
      },
      "owner": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminWorker": {
    "type": "object",
    "description": "A process of this server.",
    "x-admin": {
      "title_field": "id",
      "group": "system",
      "columns": [
        "id",
        "state",
        "hostname",
        "role",
        "holds",
        "version",
        "started_at",
        "seen_at"
      ],
      "filters": [
        "state",
        "role",
        "hostname"
      ],
      "sort": {
        "field": "started_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "hostname",
      "pid",
      "role",
      "version",
      "state",
      "holds",
      "started_at",
      "seen_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "hostname": {
        "type": "string",
        "maxLength": 255,
        "readOnly": true
      },
      "pid": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "role": {
        "type": "string",
        "enum": [
          "all",
          "web",
          "worker"
        ],
        "readOnly": true
      },
      "version": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "state": {
        "type": "string",
        "enum": [
          "alive",
          "silent"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        },
        "description": "`silent`: no beat for 30 seconds."
      },
      "holds": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "What it works on now."
      },
      "started_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "seen_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminWorkspace": {
    "type": "object",
    "description": "A team: its people, apps, limits and bill.",
    "x-admin": {
      "title_field": "name",
      "group": "people",
      "columns": [
        "name",
        "slug",
        "tier",
        "owner_id",
        "member_count",
        "app_count",
        "used_cvms",
        "created_at"
      ],
      "filters": [
        "tier",
        "slug",
        "name",
        "owner_id",
        "require_second_factor",
        "created_at",
        "deleted_at"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "public_id",
      "slug",
      "name",
      "tier",
      "owner_id",
      "member_count",
      "app_count",
      "used_cvms",
      "used_vcpu",
      "used_memory_mb",
      "used_disk_gb",
      "used_gpus",
      "reserved_gpus",
      "max_cvms",
      "max_vcpu",
      "max_memory_mb",
      "max_disk_gb",
      "require_second_factor",
      "deleted_at",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "public_id": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "slug": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      },
      "tier": {
        "type": "string",
        "minLength": 1,
        "maxLength": 32,
        "pattern": "^[a-z][a-z0-9_-]*$"
      },
      "owner_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "users"
        },
        "description": "The one who has been owner longest."
      },
      "member_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "app_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "used_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "used_vcpu": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "used_memory_mb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "used_disk_gb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "used_gpus": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "What its CVMs and deployments have, reserved for it or not."
      },
      "reserved_gpus": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Kept for it, in use or not."
      },
      "max_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "max_vcpu": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "max_memory_mb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "max_disk_gb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "require_second_factor": {
        "type": "boolean",
        "readOnly": true
      },
      "deleted_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "updated_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  }
};
