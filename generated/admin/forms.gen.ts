// This file is written by `npm run codegen` from openapi/product.yaml. Do not edit.

export const adminForms: Readonly<Record<string, object>> = {
  "AdminAnnouncementPatch": {
    "type": "object",
    "description": "Changed keys of an announcement that has not ended.",
    "additionalProperties": false,
    "properties": {
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
      }
    }
  },
  "AdminContractVerdict": {
    "type": "object",
    "description": "What a KMS contract answers about an app.",
    "required": [
      "verdict",
      "reason",
      "block_number",
      "block_at"
    ],
    "properties": {
      "verdict": {
        "type": "string",
        "enum": [
          "allowed",
          "refused",
          "unanswered"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        },
        "description": "Unanswered: the chain or the contract could not say."
      },
      "reason": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "readOnly": true,
        "description": "In the contract's words, or why it did not answer."
      },
      "block_number": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 9007199254740991,
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
  "AdminDrainException": {
    "type": "object",
    "description": "One CVM for which something else is done.",
    "additionalProperties": false,
    "required": [
      "vm_uuid",
      "action"
    ],
    "properties": {
      "vm_uuid": {
        "type": "string",
        "format": "uuid",
        "maxLength": 36
      },
      "action": {
        "type": "string",
        "enum": [
          "move",
          "stop",
          "leave"
        ]
      }
    }
  },
  "AdminGpuPatch": {
    "type": "object",
    "description": "Changed keys of a GPU. What the host says of it is written over by what it says next.",
    "additionalProperties": false,
    "properties": {
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
      "notes": {
        "type": "string",
        "maxLength": 4000,
        "x-admin": {
          "widget": "textarea"
        }
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
  "AdminKmsContractPatch": {
    "type": "object",
    "description": "Changed keys of a contract. Another chain or address is another contract.",
    "additionalProperties": false,
    "properties": {
      "label": {
        "type": "string",
        "maxLength": 100,
        "minLength": 1
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
        "description": "A retired one is not read any more.",
        "x-admin": {
          "widget": "status"
        }
      }
    }
  },
  "AdminKmsPatch": {
    "type": "object",
    "description": "Changed keys of a key management service. The local one sets its name and address itself.",
    "additionalProperties": false,
    "properties": {
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
        "description": "`retiring` takes no new apps; `retired` has none left.",
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
      }
    }
  },
  "AdminMaintenanceWindowPatch": {
    "type": "object",
    "description": "Changed keys of a maintenance window. Its begin cannot be changed once it has begun.",
    "additionalProperties": false,
    "properties": {
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
        "maxLength": 500
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
  "AdminOsImagePatch": {
    "type": "object",
    "description": "Changed keys of an OS image.",
    "additionalProperties": false,
    "properties": {
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
      }
    }
  },
  "AdminReason": {
    "type": "object",
    "description": "Why it is done, for the audit log.",
    "additionalProperties": false,
    "required": [
      "reason"
    ],
    "properties": {
      "reason": {
        "type": "string",
        "minLength": 3,
        "maxLength": 500,
        "x-admin": {
          "widget": "textarea"
        },
        "description": "Stands in the audit log."
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
  "AdminUserPatch": {
    "type": "object",
    "description": "Changed keys of a person.",
    "additionalProperties": false,
    "properties": {
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
      }
    }
  },
  "AdminViewAs": {
    "type": "object",
    "description": "The session looks as somebody now.",
    "required": [
      "expires_at",
      "location"
    ],
    "properties": {
      "expires_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40
      },
      "location": {
        "type": "string",
        "maxLength": 200,
        "description": "Where to go on."
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
  "AdminWorkspacePatch": {
    "type": "object",
    "description": "Changed keys of a team.",
    "additionalProperties": false,
    "properties": {
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
      }
    }
  },
  "AttachAdminGpu": {
    "type": "object",
    "description": "The CVM that is to have a GPU.",
    "additionalProperties": false,
    "required": [
      "cvm_id"
    ],
    "properties": {
      "cvm_id": {
        "type": "string",
        "format": "uuid",
        "maxLength": 36,
        "description": "vm_uuid of a CVM on the same host.",
        "x-admin": {
          "reference": "cvms"
        }
      }
    }
  },
  "CreateAdminAnnouncement": {
    "type": "object",
    "description": "A draft.",
    "additionalProperties": false,
    "required": [
      "title",
      "text"
    ],
    "properties": {
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
      "severity": {
        "type": "string",
        "enum": [
          "info",
          "warning",
          "critical"
        ],
        "default": "info"
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
        "default": "everybody",
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
        "default": [],
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
        "default": true,
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
        "default": false,
        "description": "Also in the bell and by mail, to those who want that. Critical ones only."
      }
    }
  },
  "CreateAdminGpu": {
    "type": "object",
    "description": "A GPU to prepare; it is given to nobody before its host reports it.",
    "additionalProperties": false,
    "required": [
      "teepod_id",
      "slot"
    ],
    "properties": {
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
        "description": "What it is, for example H200 NVL; the host tells it.",
        "default": ""
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
  "CreateAdminKms": {
    "type": "object",
    "description": "A key management service to add.",
    "additionalProperties": false,
    "required": [
      "slug",
      "url"
    ],
    "properties": {
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
        "description": "What clients ask for by name; ethereum and base are governed by a contract.",
        "default": "phala"
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
        "default": "",
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
        "description": "`retiring` takes no new apps; `retired` has none left.",
        "default": "active",
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
      }
    }
  },
  "CreateAdminKmsContract": {
    "type": "object",
    "description": "A contract to read.",
    "additionalProperties": false,
    "required": [
      "label",
      "chain",
      "address"
    ],
    "properties": {
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
        "description": "A retired one is not read any more.",
        "default": "active",
        "x-admin": {
          "widget": "status"
        }
      }
    }
  },
  "CreateAdminMaintenanceWindow": {
    "type": "object",
    "description": "A new maintenance window.",
    "additionalProperties": false,
    "required": [
      "node_id",
      "starts_at",
      "ends_at",
      "reason"
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
        "default": 24,
        "description": "How long before its begin the teams are told."
      },
      "reason": {
        "type": "string",
        "minLength": 3,
        "maxLength": 500,
        "description": "Told to the teams."
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
  },
  "CreateAdminViewAs": {
    "type": "object",
    "description": "Why and for how long one looks as somebody else.",
    "additionalProperties": false,
    "required": [
      "reason"
    ],
    "properties": {
      "reason": {
        "type": "string",
        "minLength": 3,
        "maxLength": 500,
        "x-admin": {
          "widget": "textarea"
        },
        "description": "Stands in the audit log and is told to their teams."
      },
      "minutes": {
        "type": "integer",
        "minimum": 1,
        "maximum": 60,
        "default": 15,
        "description": "It ends by itself."
      }
    }
  },
  "DecideAdminDrainCvm": {
    "type": "object",
    "description": "What is done with it.",
    "additionalProperties": false,
    "required": [
      "action"
    ],
    "properties": {
      "action": {
        "type": "string",
        "enum": [
          "move",
          "stop",
          "leave"
        ]
      }
    }
  },
  "DrainAdminTeepod": {
    "type": "object",
    "description": "How a teepod is emptied. A disk does not move between hosts: what is moved begins with an empty one.",
    "additionalProperties": false,
    "required": [
      "reason"
    ],
    "properties": {
      "movable": {
        "type": "string",
        "enum": [
          "move",
          "stop"
        ],
        "default": "move",
        "description": "CVMs whose owner allows it, or that keep nothing on their disk."
      },
      "others": {
        "type": "string",
        "enum": [
          "stop",
          "leave"
        ],
        "default": "stop",
        "description": "All others: stopped with notice, or left running, which keeps the drain from ending."
      },
      "stop_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "description": "When those to stop are stopped; a day from now when empty. A time that has passed means at once."
      },
      "reason": {
        "type": "string",
        "minLength": 3,
        "maxLength": 500,
        "description": "Told to the teams."
      },
      "exceptions": {
        "type": "array",
        "maxItems": 1000,
        "default": [],
        "items": {
          "$ref": "#/components/schemas/AdminDrainException"
        }
      }
    }
  },
  "MarkAdminGpuFaulty": {
    "type": "object",
    "description": "Why a GPU is out of use.",
    "additionalProperties": false,
    "required": [
      "reason"
    ],
    "properties": {
      "reason": {
        "type": "string",
        "maxLength": 500,
        "minLength": 1
      }
    }
  },
  "ReserveAdminGpu": {
    "type": "object",
    "description": "Whom a GPU is kept for.",
    "additionalProperties": false,
    "required": [
      "team_id"
    ],
    "properties": {
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "workspaces"
        }
      }
    }
  },
  "TryAdminKmsContractApp": {
    "type": "object",
    "description": "What a CVM would boot with, as its host and its measurements say it.",
    "additionalProperties": false,
    "required": [
      "app_id",
      "compose_hash"
    ],
    "properties": {
      "app_id": {
        "type": "string",
        "maxLength": 44,
        "minLength": 40,
        "pattern": "^(app_|0x)?[0-9a-fA-F]{40}$",
        "x-admin": {
          "widget": "mono"
        }
      },
      "compose_hash": {
        "type": "string",
        "maxLength": 66,
        "minLength": 64,
        "pattern": "^(0x)?[0-9a-fA-F]{64}$",
        "x-admin": {
          "widget": "mono"
        },
        "description": "SHA-256 of the app's compose file."
      },
      "os_image_hash": {
        "type": "string",
        "maxLength": 66,
        "minLength": 64,
        "pattern": "^(0x)?[0-9a-fA-F]{64}$",
        "x-admin": {
          "widget": "mono"
        },
        "description": "Contracts allow none that is zero."
      },
      "device_id": {
        "type": "string",
        "maxLength": 66,
        "minLength": 64,
        "pattern": "^(0x)?[0-9a-fA-F]{64}$",
        "x-admin": {
          "widget": "mono"
        },
        "description": "Of the host; only apps bound to devices ask."
      },
      "instance_id": {
        "type": "string",
        "maxLength": 49,
        "minLength": 40,
        "pattern": "^(instance_|0x)?[0-9a-fA-F]{40}$",
        "x-admin": {
          "widget": "mono"
        }
      },
      "mr_aggregated": {
        "type": "string",
        "maxLength": 66,
        "minLength": 64,
        "pattern": "^(0x)?[0-9a-fA-F]{64}$",
        "x-admin": {
          "widget": "mono"
        }
      },
      "mr_system": {
        "type": "string",
        "maxLength": 66,
        "minLength": 64,
        "pattern": "^(0x)?[0-9a-fA-F]{64}$",
        "x-admin": {
          "widget": "mono"
        }
      },
      "tcb_status": {
        "type": "string",
        "enum": [
          "UpToDate",
          "SWHardeningNeeded",
          "ConfigurationNeeded",
          "ConfigurationAndSWHardeningNeeded",
          "OutOfDate",
          "OutOfDateConfigurationNeeded",
          "Revoked"
        ],
        "default": "UpToDate",
        "description": "Of the host's firmware."
      }
    }
  },
  "UncordonAdminTeepod": {
    "type": "object",
    "description": "Whether what a drain stopped is started again.",
    "additionalProperties": false,
    "properties": {
      "start_stopped": {
        "type": "boolean",
        "default": true,
        "description": "Start the CVMs that the last drain stopped and nobody has touched since."
      }
    }
  }
};
