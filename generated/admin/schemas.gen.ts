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
  }
} as const;

export const adminSchemas = {
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
  "AdminInstanceTypePatch": {
    "type": "object",
    "description": "Changed keys of a size. A price change counts from now on.",
    "additionalProperties": false,
    "properties": {
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
  "AdminNodePatch": {
    "type": "object",
    "description": "Changed keys of a node.",
    "additionalProperties": false,
    "properties": {
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
  "AdminTeepodPatch": {
    "type": "object",
    "description": "Changed keys of a teepod. Of the local one only state, capacity and visibility may change.",
    "additionalProperties": false,
    "properties": {
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
      "credential": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 4096,
        "x-secret": true,
        "description": "Bearer token, or user:password. Kept encrypted; never returned. null removes it.",
        "x-admin": {
          "widget": "secret"
        }
      }
    }
  },
  "CreateAdminInstanceType": {
    "type": "object",
    "description": "A new size.",
    "additionalProperties": false,
    "required": [
      "id",
      "family",
      "name",
      "vcpu",
      "memory_mb",
      "default_disk_size_gb",
      "hourly_rate"
    ],
    "properties": {
      "id": {
        "type": "string",
        "maxLength": 64,
        "pattern": "^[a-z0-9]+(\\.[a-z0-9-]+)*$",
        "minLength": 2,
        "description": "For example tdx.small. Cannot change.",
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
        "default": "",
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
        "type": "boolean",
        "default": false
      },
      "gpu_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 64,
        "default": 0
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "retired"
        ],
        "default": "active",
        "x-admin": {
          "widget": "status"
        }
      },
      "sort_order": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000,
        "default": 100
      }
    }
  },
  "CreateAdminNode": {
    "type": "object",
    "description": "A new node. `state` is online when absent.",
    "additionalProperties": false,
    "required": [
      "name"
    ],
    "properties": {
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
        "default": "online",
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
        "default": "",
        "x-admin": {
          "widget": "textarea"
        }
      }
    }
  },
  "CreateAdminTeepod": {
    "type": "object",
    "description": "A dstack-vmm host to add. Capacity left out is taken from the host when it first answers.",
    "additionalProperties": false,
    "required": [
      "node_id",
      "name",
      "url"
    ],
    "properties": {
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
        ],
        "default": "none"
      },
      "state": {
        "type": "string",
        "enum": [
          "online",
          "cordoned",
          "draining",
          "offline"
        ],
        "default": "online",
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
        "default": true,
        "description": "Shown to teams in host lists."
      },
      "all_teams": {
        "type": "boolean",
        "default": true,
        "description": "Every team may deploy here."
      },
      "credential": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 4096,
        "x-secret": true,
        "description": "Bearer token, or user:password. Kept encrypted; never returned. null removes it.",
        "x-admin": {
          "widget": "secret"
        }
      }
    }
  }
} as const;
