// This file is written by `npm run codegen` from openapi/product.yaml. Do not edit.

export const adminResources = {
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
    "actions": [],
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
        "permission": "admin.outbox.write"
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
  }
} as const;

export const adminSchemas = {
  "AdminBulkJob": {
    "type": "object",
    "description": "One thing done to many rows by a worker, each as its own request of the person who asked.",
    "x-admin": {
      "title_field": "action",
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
          "widget": "mono"
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
        "actor_id",
        "created_at"
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
  "AdminMonitoringEvent": {
    "type": "object",
    "description": "An error envelope kept here because no error-reporting service is configured.",
    "x-admin": {
      "title_field": "message",
      "group": "system",
      "columns": [
        "received_at",
        "kind",
        "message",
        "environment",
        "release"
      ],
      "filters": [
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
        }
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
        "version",
        "last_seen_at"
      ],
      "filters": [
        "node_id",
        "state",
        "kind",
        "reachable",
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
        "maximum": 2147483647
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
  }
} as const;
