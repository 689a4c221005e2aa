// This file is written by `npm run codegen` from openapi/product.yaml. Do not edit.

export const adminForms = {
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
  "AdminViewPatch": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "name": {
        "type": "string",
        "maxLength": 80,
        "minLength": 1
      },
      "query": {
        "type": "string",
        "maxLength": 4000
      },
      "shared": {
        "type": "boolean"
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
