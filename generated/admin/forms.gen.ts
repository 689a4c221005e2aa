// This file is written by `npm run codegen` from openapi/product.yaml. Do not edit.

export const adminForms: Readonly<Record<string, object>> = {
  "AdminAiGatewayPatch": {
    "type": "object",
    "description": "Fields of an AI gateway to change.",
    "additionalProperties": false,
    "properties": {
      "name": {
        "type": "string",
        "maxLength": 64,
        "minLength": 2,
        "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"
      },
      "url": {
        "type": "string",
        "maxLength": 2000,
        "minLength": 1,
        "pattern": "^https?://",
        "description": "Where clients reach it, without /v1, such as https://ai.example.com.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "image": {
        "type": "string",
        "maxLength": 500,
        "minLength": 1,
        "pattern": "^[^\\s@]+@sha256:[0-9a-f]{64}$",
        "description": "The gateway's image with its digest, such as registry.example.com/private-ai-gateway@sha256:….",
        "x-admin": {
          "widget": "mono"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "disabled"
        ],
        "x-admin": {
          "widget": "status"
        }
      }
    }
  },
  "AdminAiGatewayTokens": {
    "type": "object",
    "description": "What a gateway needs to call this server. The tokens are shown once.",
    "required": [
      "control_url",
      "control_token",
      "config_url",
      "config_token"
    ],
    "properties": {
      "control_url": {
        "type": "string",
        "maxLength": 2000,
        "description": "`middleware.control_url` of its configuration.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "control_token": {
        "type": "string",
        "maxLength": 64,
        "x-secret": true,
        "description": "Secret TEEHOUSE_CONTROL_TOKEN of the app. Lets it check keys and report usage.",
        "x-admin": {
          "widget": "secret"
        }
      },
      "config_url": {
        "type": "string",
        "maxLength": 2000,
        "description": "`upstream_pull.url` of its configuration.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "config_token": {
        "type": "string",
        "maxLength": 64,
        "x-secret": true,
        "description": "Secret TEEHOUSE_CONFIG_TOKEN of the app. Lets it read the upstreams with their API keys.",
        "x-admin": {
          "widget": "secret"
        }
      }
    }
  },
  "AdminAiModelPatch": {
    "type": "object",
    "description": "Fields of an AI model to change.",
    "additionalProperties": false,
    "properties": {
      "model": {
        "type": "string",
        "maxLength": 200,
        "minLength": 2,
        "pattern": "^[A-Za-z0-9][A-Za-z0-9._:/-]*$",
        "description": "The value of `model` in a request, such as qwen/qwen3-8b.",
        "x-admin": {
          "widget": "mono"
        }
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
      "context_length": {
        "type": "integer",
        "minimum": 1,
        "maximum": 8000000,
        "description": "Tokens, input and output together."
      },
      "endpoints": {
        "type": "array",
        "minItems": 1,
        "maxItems": 10,
        "uniqueItems": true,
        "items": {
          "type": "string",
          "enum": [
            "chat.completions",
            "completions",
            "embeddings",
            "responses"
          ]
        },
        "description": "Endpoints that every upstream serves.",
        "x-admin": {
          "words": {
            "chat.completions": "Chat completions"
          }
        }
      },
      "input_modalities": {
        "type": "array",
        "maxItems": 10,
        "uniqueItems": true,
        "items": {
          "type": "string",
          "enum": [
            "text",
            "image",
            "audio",
            "video",
            "file"
          ]
        },
        "description": "Content that requests may contain. A request with other content is refused before it is forwarded. Select none if unknown; every request is then forwarded.",
        "x-admin": {
          "label": "Reads"
        }
      },
      "output_modalities": {
        "type": "array",
        "maxItems": 10,
        "uniqueItems": true,
        "items": {
          "type": "string",
          "enum": [
            "text",
            "image",
            "audio",
            "embeddings"
          ]
        },
        "description": "What answers contain. Select none to list outputs by endpoint: text, embeddings or both.",
        "x-admin": {
          "label": "Writes"
        }
      },
      "input_price": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,3}(\\.[0-9]{1,6})?$",
        "description": "US dollars per million input tokens.",
        "x-admin": {
          "widget": "money"
        }
      },
      "cached_input_price": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,3}(\\.[0-9]{1,6})?$",
        "description": "US dollars per million input tokens that the upstream had cached.",
        "x-admin": {
          "widget": "money"
        }
      },
      "output_price": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,3}(\\.[0-9]{1,6})?$",
        "description": "US dollars per million output tokens.",
        "x-admin": {
          "widget": "money"
        }
      },
      "upstreams": {
        "type": "array",
        "minItems": 1,
        "maxItems": 20,
        "items": {
          "$ref": "#/components/schemas/AiModelUpstream"
        },
        "description": "The first is preferred. The others are tried in this order when it fails."
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "disabled",
          "team"
        ],
        "description": "`team`: offered to the AI keys of its team only. `active` is for models of every team.",
        "x-admin": {
          "widget": "status"
        }
      }
    }
  },
  "AdminAiUpstreamPatch": {
    "type": "object",
    "description": "Fields of an AI upstream to change.",
    "additionalProperties": false,
    "properties": {
      "name": {
        "type": "string",
        "maxLength": 64,
        "minLength": 2,
        "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"
      },
      "url": {
        "type": "string",
        "maxLength": 2000,
        "minLength": 1,
        "pattern": "^https?://",
        "description": "Base URL of its API, such as https://models.example.com/v1.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "api_key": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 4096,
        "x-secret": true,
        "description": "Sent as a bearer token. Null removes it.",
        "x-admin": {
          "widget": "secret",
          "label": "API key"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "disabled"
        ],
        "x-admin": {
          "widget": "status"
        }
      },
      "max_concurrency": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 10000,
        "description": "Requests in progress, per server process. Leave empty for no limit."
      },
      "timeout_seconds": {
        "type": "integer",
        "minimum": 1,
        "maximum": 600,
        "description": "Longest wait for an answer to begin, and between two of its parts. Comments that only keep the connection open don't begin it."
      },
      "evidence_required": {
        "type": "boolean",
        "description": "No prompt is sent here before the server has proven what it runs: a gateway in a TEE verifies its aci/1 report and pins its TLS key. The gateway of this server verifies no evidence, so it never uses this upstream."
      },
      "accepted_app_ids": {
        "type": "array",
        "maxItems": 50,
        "items": {
          "type": "string",
          "maxLength": 44,
          "pattern": "^(app_|0x)?[0-9a-fA-F]{40}$"
        },
        "description": "IDs of the dstack apps that may answer. Their quote proves the ID.",
        "x-admin": {
          "label": "Accepted apps",
          "widget": "mono",
          "only_for": {
            "evidence_required": [
              "true"
            ]
          }
        }
      },
      "accepted_kms_keys": {
        "type": "array",
        "maxItems": 20,
        "items": {
          "type": "string",
          "maxLength": 68,
          "pattern": "^(0x)?0[23][0-9a-fA-F]{64}$"
        },
        "description": "Root keys (k256) of key management services. Only an app that gets its keys from one of them may answer.",
        "x-admin": {
          "label": "Accepted KMS root keys",
          "widget": "mono",
          "only_for": {
            "evidence_required": [
              "true"
            ]
          }
        }
      }
    }
  },
  "AdminAnnouncementPatch": {
    "type": "object",
    "description": "Fields to change in an announcement that has not ended.",
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
          "widget": "formatted"
        },
        "description": "Plain text. Blank lines separate paragraphs and lines that start with - form a list. Supports **bold**, `code` and [links](https://…)."
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
        "description": "Everyone includes visitors who aren't signed in. A teepod, node, KMS or OS image means the members of all teams with a CVM on it.",
        "x-admin": {
          "words": {
            "everybody": "Everyone",
            "workspaces": "Teams"
          }
        }
      },
      "workspaces": {
        "type": "array",
        "maxItems": 200,
        "items": {
          "type": "string",
          "minLength": 1,
          "maxLength": 64
        },
        "x-admin": {
          "label": "Teams",
          "reference": "workspaces",
          "only_for": {
            "audience": [
              "workspaces"
            ]
          }
        },
        "description": "Teams whose members see it."
      },
      "teepod_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "teepods",
          "only_for": {
            "audience": [
              "teepod"
            ]
          }
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
          "reference": "nodes",
          "only_for": {
            "audience": [
              "node"
            ]
          }
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
          "reference": "kms",
          "only_for": {
            "audience": [
              "kms"
            ]
          }
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
          "reference": "os-images",
          "only_for": {
            "audience": [
              "os_image"
            ]
          }
        }
      },
      "starts_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "description": "Leave empty to start when published."
      },
      "ends_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "description": "Leave empty to show it until ended."
      },
      "dismissible": {
        "type": "boolean",
        "description": "Users can close it."
      },
      "link": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "pattern": "^(https?://|/)[^\\s]*$",
        "description": "Link to more information: a URL, or a path on this server."
      },
      "notify": {
        "type": "boolean",
        "x-admin": {
          "only_for": {
            "severity": [
              "critical"
            ]
          }
        },
        "description": "Also notify users in the console and by email, according to their settings. For critical announcements."
      }
    }
  },
  "AdminAuditDestinationPatch": {
    "type": "object",
    "description": "Fields of an audit destination to change.",
    "additionalProperties": false,
    "properties": {
      "name": {
        "type": "string",
        "maxLength": 64,
        "minLength": 2,
        "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"
      },
      "address": {
        "type": "string",
        "maxLength": 2000,
        "minLength": 1,
        "description": "For a webhook a URL, such as https://logs.example.com/teehouse. For syslog a host and port, such as logs.example.com:6514.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "secret": {
        "type": "string",
        "minLength": 16,
        "maxLength": 512,
        "x-secret": true,
        "description": "Replaces the secret that signs each request. At least 16 characters.",
        "x-admin": {
          "widget": "secret",
          "label": "Signing secret",
          "only_for": {
            "kind": [
              "webhook"
            ]
          }
        }
      },
      "ca_certificate": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 65536,
        "minLength": 1,
        "description": "Certificates of the authorities trusted to sign the server's certificate, in PEM. Null for those that the system trusts.",
        "x-admin": {
          "label": "CA certificate",
          "widget": "textarea",
          "only_for": {
            "kind": [
              "syslog_tls"
            ]
          }
        }
      },
      "client_certificate": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 65536,
        "minLength": 1,
        "description": "Certificate that this server presents to the log system, in PEM, including intermediates. Requires `client_key`. Null for none.",
        "x-admin": {
          "label": "Client certificate",
          "widget": "textarea",
          "only_for": {
            "kind": [
              "syslog_tls"
            ]
          }
        }
      },
      "client_key": {
        "type": "string",
        "minLength": 1,
        "maxLength": 65536,
        "x-secret": true,
        "description": "Private key of the client certificate, in PEM and without a passphrase. Stored encrypted and never shown.",
        "x-admin": {
          "widget": "secret",
          "label": "Client key",
          "only_for": {
            "kind": [
              "syslog_tls"
            ]
          }
        }
      }
    }
  },
  "AdminContractVerdict": {
    "type": "object",
    "description": "A KMS contract's decision about an app.",
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
        "description": "Null if the chain or contract couldn't be queried."
      },
      "reason": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "readOnly": true,
        "description": "The contract's reason, or why it couldn't be queried."
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
  "AdminDrainException": {
    "type": "object",
    "description": "An exception for one CVM.",
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
  "AdminGatewayPatch": {
    "type": "object",
    "description": "Fields of a gateway to change.",
    "additionalProperties": false,
    "properties": {
      "base_domain": {
        "type": "string",
        "maxLength": 253,
        "minLength": 1,
        "pattern": "^[a-z0-9.-]+(:[0-9]+)?$",
        "description": "Of the addresses it serves, as its teepods report it.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "url": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "minLength": 1,
        "pattern": "^(https?://|unix:/)",
        "description": "Address of its admin API, such as http://127.0.0.1:8011, or unix:/path.",
        "x-admin": {
          "widget": "mono",
          "label": "Admin address"
        }
      },
      "credential": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 4096,
        "x-secret": true,
        "description": "Token of its admin API. Stored encrypted and never shown.",
        "x-admin": {
          "widget": "secret",
          "label": "Token"
        }
      }
    }
  },
  "AdminGpuPatch": {
    "type": "object",
    "description": "Fields of a GPU to change. Values reported by the host are overwritten by its next report.",
    "additionalProperties": false,
    "properties": {
      "product_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 9,
        "pattern": "^[0-9a-f]{4}:[0-9a-f]{4}$",
        "description": "PCI vendor and product IDs. An H200 is 10de:2335.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "description": {
        "type": "string",
        "maxLength": 500,
        "description": "Model reported by the host, for example H200 NVL."
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
    "description": "Fields of an instance type to change. Price changes apply from now on.",
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
        "maximum": 65536,
        "description": "The disk that the hourly rate includes. More is charged per GB."
      },
      "hourly_rate": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,6})?$",
        "description": "US dollars per hour.",
        "x-admin": {
          "widget": "money"
        }
      },
      "gpu_hourly_rate": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,6})?$",
        "description": "Share of the hourly rate that is for GPUs. Usage shows it as a separate line.",
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
    "description": "Fields of a contract to change. Chain and address can't be changed.",
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
        "description": "The KMS whose keys are compared with the contract's.",
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
        "description": "A retired contract is no longer read.",
        "x-admin": {
          "widget": "status"
        }
      }
    }
  },
  "AdminKmsPatch": {
    "type": "object",
    "description": "Fields of a key management service to change. The local one sets its own name and address.",
    "additionalProperties": false,
    "properties": {
      "slug": {
        "type": "string",
        "maxLength": 64,
        "minLength": 2,
        "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
        "description": "Name shown to users and clients."
      },
      "type": {
        "type": "string",
        "enum": [
          "phala",
          "ethereum",
          "base",
          "legacy"
        ],
        "description": "Type that clients request by name. The types ethereum and base are governed by a contract, which may be on another network than the name says."
      },
      "url": {
        "type": "string",
        "maxLength": 2000,
        "minLength": 1,
        "pattern": "^(https?://|unix:/)",
        "description": "Base URL, such as https://kms.example:8000. Its certificate is self-signed; trust is based on the pinned keys.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "version": {
        "type": "string",
        "maxLength": 64,
        "description": "As stated by its operator.",
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
        "description": "`retiring` accepts no new apps; `retired` has none left.",
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
        "description": "The secp256k1 root key that must sign every environment key (33 bytes, hex). Compare it with its operator or contract first.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "next_k256_pubkey": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 512,
        "pattern": "^0[23][0-9a-f]{64}$",
        "description": "A second root key, valid beside the current one, to replace it without interruption. Remove it to keep the current one.",
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
        "description": "Chain of its governing contract."
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
        "minLength": 1,
        "maxLength": 200,
        "x-admin": {
          "widget": "mono"
        }
      },
      "tcb_statuses": {
        "type": "array",
        "maxItems": 10,
        "items": {
          "type": "string",
          "maxLength": 64,
          "pattern": "^[A-Za-z]+$"
        },
        "description": "TCB statuses with which apps and KMS instances get keys, if this service asks this server and has no contract.",
        "x-admin": {
          "label": "Accepted TCB statuses"
        }
      },
      "advisory_ids": {
        "type": "array",
        "maxItems": 100,
        "items": {
          "type": "string",
          "maxLength": 64,
          "pattern": "^[A-Za-z0-9-]+$"
        },
        "description": "Intel advisories accepted in such a request, such as INTEL-SA-00615. Any other is refused.",
        "x-admin": {
          "label": "Accepted advisories"
        }
      },
      "aggregated_mrs": {
        "type": "array",
        "maxItems": 100,
        "items": {
          "type": "string",
          "maxLength": 66,
          "pattern": "^(0x)?[0-9a-fA-F]{64}$"
        },
        "description": "Aggregated measurements of the KMS instances that may receive its root keys. If empty, none may.",
        "x-admin": {
          "label": "Accepted KMS measurements",
          "widget": "mono"
        }
      }
    }
  },
  "AdminKmsWebhook": {
    "type": "object",
    "description": "A webhook URL of a key management service.",
    "required": [
      "webhook_url",
      "replaced"
    ],
    "properties": {
      "webhook_url": {
        "type": "string",
        "maxLength": 2000,
        "x-secret": true,
        "description": "For `webhook.url` under `core.auth_api` in its configuration. Shown only now: its token is stored as a hash.",
        "x-admin": {
          "widget": "secret"
        }
      },
      "replaced": {
        "type": "boolean",
        "description": "Whether an earlier URL stopped working."
      }
    }
  },
  "AdminMaintenanceWindowPatch": {
    "type": "object",
    "description": "Fields of a maintenance window to change. The start can't be changed once it has started.",
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
        "description": "How long before the start teams are notified."
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
    "description": "Fields of a node to change.",
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
        "minLength": 1,
        "maxLength": 64,
        "x-admin": {
          "suggest": "nodes"
        },
        "description": "Location of the machine. Choose an existing region or enter a new one."
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
        "minLength": 1,
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
        "minLength": 1,
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
        "minLength": 1,
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
  "AdminOrderProductPatch": {
    "type": "object",
    "description": "Fields of a product to change. Existing orders keep their terms.",
    "additionalProperties": false,
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      },
      "description": {
        "type": "string",
        "maxLength": 1000,
        "x-admin": {
          "widget": "textarea"
        }
      },
      "price": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,2}0{0,4})?$",
        "x-admin": {
          "widget": "money"
        },
        "description": "US dollars per period, in whole cents. Below the metered price, the difference counts toward the approval limit, and another administrator may have to approve it."
      },
      "min_periods": {
        "type": "integer",
        "minimum": 1,
        "maximum": 366,
        "description": "Not refunded once it has begun.",
        "x-admin": {
          "label": "Shortest term, in periods"
        }
      },
      "max_periods": {
        "type": "integer",
        "minimum": 1,
        "maximum": 366,
        "description": "Longest term of one order. Orders can be renewed.",
        "x-admin": {
          "label": "Longest term, in periods"
        }
      },
      "refund_percent": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100,
        "description": "Share of the whole hours after the shortest term that is refunded when an order is canceled.",
        "x-admin": {
          "label": "Refund in percent"
        }
      },
      "stock": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000,
        "description": "Orders that can exist at a time."
      },
      "starts_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "description": "The earliest start of a term. Leave empty for now."
      },
      "ends_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "description": "The latest end of a term. Leave empty for none."
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
      }
    }
  },
  "AdminOsImagePatch": {
    "type": "object",
    "description": "Fields of an OS image to change.",
    "additionalProperties": false,
    "properties": {
      "os_image_hash": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 66,
        "minLength": 64,
        "pattern": "^(0x)?[0-9a-fA-F]{64}$",
        "description": "SHA-256 of the image. Learned from the first evidence that proves it, unless you enter the hash of your own build. Evidence of any other image then counts as unknown.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "recommended",
          "retired"
        ],
        "description": "New CVMs prefer a recommended image. A retired image isn't used for new CVMs; existing ones keep it.",
        "x-admin": {
          "widget": "status"
        }
      }
    }
  },
  "AdminPaymentConfirmation": {
    "description": "The payment after a confirmation.",
    "allOf": [
      {
        "$ref": "#/components/schemas/AdminPayment"
      },
      {
        "type": "object",
        "properties": {
          "already_confirmed": {
            "type": "boolean",
            "readOnly": true,
            "description": "The same transfer was confirmed before, and nothing was added."
          }
        }
      }
    ]
  },
  "AdminPromotionCodePatch": {
    "type": "object",
    "description": "Fields to change. A code's credit can't change: create another code.",
    "additionalProperties": false,
    "properties": {
      "description": {
        "type": "string",
        "maxLength": 500,
        "description": "The reason that teams see beside the credit."
      },
      "max_uses": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000000,
        "description": "Leave empty for any number.",
        "x-admin": {
          "label": "Total uses"
        }
      },
      "max_uses_per_team": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000,
        "description": "Counts all teams with the same owner, account or saved card. Leave empty for no limit.",
        "x-admin": {
          "label": "Uses per team"
        }
      },
      "new_teams_days": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 3650,
        "description": "Only for teams created at most this many days ago.",
        "x-admin": {
          "label": "Days since the team was created"
        }
      },
      "starts_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40
      },
      "ends_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40
      },
      "credit_days": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 3650,
        "description": "Days until the credit expires. Leave empty for never.",
        "x-admin": {
          "label": "Days the credit lasts"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "retired"
        ]
      }
    }
  },
  "AdminReason": {
    "type": "object",
    "description": "Reason, recorded in the audit log.",
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
        "description": "Recorded in the audit log."
      }
    }
  },
  "AdminTeepodPatch": {
    "type": "object",
    "description": "Fields of a teepod to change. For the local one, only state, capacity and visibility can change.",
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
      "credential": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 4096,
        "x-secret": true,
        "description": "A bearer token, or user:password for basic. Stored encrypted and never shown.",
        "x-admin": {
          "widget": "secret",
          "only_for": {
            "credential_kind": [
              "bearer",
              "basic"
            ]
          }
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "online",
          "cordoned",
          "draining",
          "offline"
        ],
        "description": "A cordoned teepod takes no new CVMs. Existing ones keep running.",
        "x-admin": {
          "widget": "status"
        }
      },
      "tee": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "tdx",
          "sev_snp",
          null
        ],
        "description": "TEE of its CPUs: Intel TDX or AMD SEV-SNP. The host doesn't report it, so leave it empty if you don't know.",
        "x-admin": {
          "label": "TEE"
        }
      },
      "gateway_base_domain": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 253,
        "pattern": "^[a-z0-9.-]+(:[0-9]+)?$",
        "description": "May include :port. A host that reports its gateway's domain decides.",
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
        "maximum": 100000,
        "description": "The host's own limit applies if it is lower.",
        "x-admin": {
          "host_limit": "host_cvms"
        }
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
        "description": "Every team can deploy here."
      }
    }
  },
  "AdminTemplatePatch": {
    "type": "object",
    "description": "Fields of a template to change.",
    "additionalProperties": false,
    "properties": {
      "state": {
        "type": "string",
        "enum": [
          "offered",
          "hidden"
        ],
        "x-admin": {
          "widget": "status"
        }
      },
      "metadata": {
        "type": "string",
        "minLength": 1,
        "maxLength": 65536,
        "description": "template.yaml",
        "x-admin": {
          "widget": "code"
        }
      },
      "compose_file": {
        "type": "string",
        "minLength": 1,
        "maxLength": 65536,
        "description": "docker-compose.yml",
        "x-admin": {
          "widget": "code"
        }
      }
    }
  },
  "AdminUserPatch": {
    "type": "object",
    "description": "Fields of a user to change.",
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
        "description": "Platform role, which controls access to the admin area."
      }
    }
  },
  "AdminViewAs": {
    "type": "object",
    "description": "The session is now viewing as another user.",
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
        "description": "Where to continue."
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
        "maxLength": 4000,
        "x-admin": {
          "hidden": true
        }
      },
      "shared": {
        "type": "boolean",
        "description": "Visible to everyone who can read saved views."
      }
    }
  },
  "AdminWorkspacePatch": {
    "type": "object",
    "description": "Fields of a team to change.",
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
        "pattern": "^[a-z][a-z0-9_-]*$",
        "x-admin": {
          "suggest": "workspaces"
        },
        "description": "Shown to the team. Limits are set separately."
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
      "post_paid_cap": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,6})?$",
        "description": "How far its balance may fall below zero before it is in debt, in US dollars. At most 1,000,000. Applies while BILLING_ENFORCEMENT is on.",
        "x-admin": {
          "widget": "money",
          "label": "Post-paid cap"
        }
      }
    }
  },
  "AttachAdminGpu": {
    "type": "object",
    "description": "The CVM to attach a GPU to.",
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
  "CancelAdminOrder": {
    "type": "object",
    "description": "Why an order is canceled, and the amount to refund.",
    "additionalProperties": false,
    "required": [
      "reason"
    ],
    "properties": {
      "refund": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,6})?$",
        "default": null,
        "description": "US dollars. Leave empty for the refund that its rules define, as shown in the record.",
        "x-admin": {
          "widget": "money"
        }
      },
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500,
        "description": "The team sees it."
      }
    }
  },
  "ConfirmAdminPayment": {
    "type": "object",
    "description": "A transfer that arrived, as the bank statement shows it.",
    "additionalProperties": false,
    "required": [
      "amount",
      "bank_reference"
    ],
    "properties": {
      "amount": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,2}0{0,4})?$",
        "description": "US dollars that arrived, in whole cents. It may be less or more than requested.",
        "x-admin": {
          "widget": "money"
        }
      },
      "bank_reference": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100,
        "description": "The bank's transfer number. Each counts once."
      },
      "received_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "default": null,
        "description": "When it arrived, within the last year. Leave empty for now."
      }
    }
  },
  "CreateAdminAdjustment": {
    "type": "object",
    "description": "A correction of a team's prepaid balance.",
    "additionalProperties": false,
    "required": [
      "team_id",
      "amount",
      "reason"
    ],
    "properties": {
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "workspaces",
          "label": "Team"
        }
      },
      "amount": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^-?[0-9]{1,18}(\\.[0-9]{1,6})?$",
        "description": "US dollars. A negative amount is taken from the team.",
        "x-admin": {
          "widget": "money"
        }
      },
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 400,
        "description": "The team sees it."
      }
    }
  },
  "CreateAdminAiGateway": {
    "type": "object",
    "description": "A gateway to add.",
    "additionalProperties": false,
    "required": [
      "name",
      "url",
      "image"
    ],
    "properties": {
      "name": {
        "type": "string",
        "maxLength": 64,
        "minLength": 2,
        "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"
      },
      "url": {
        "type": "string",
        "maxLength": 2000,
        "minLength": 1,
        "pattern": "^https?://",
        "description": "Where clients reach it, without /v1, such as https://ai.example.com.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "image": {
        "type": "string",
        "maxLength": 500,
        "minLength": 1,
        "pattern": "^[^\\s@]+@sha256:[0-9a-f]{64}$",
        "description": "The gateway's image with its digest, such as registry.example.com/private-ai-gateway@sha256:….",
        "x-admin": {
          "widget": "mono"
        }
      }
    }
  },
  "CreateAdminAiModel": {
    "type": "object",
    "description": "A model to add.",
    "additionalProperties": false,
    "required": [
      "model",
      "name",
      "context_length",
      "input_price",
      "output_price",
      "upstreams"
    ],
    "properties": {
      "model": {
        "type": "string",
        "maxLength": 200,
        "minLength": 2,
        "pattern": "^[A-Za-z0-9][A-Za-z0-9._:/-]*$",
        "description": "The value of `model` in a request, such as qwen/qwen3-8b.",
        "x-admin": {
          "widget": "mono"
        }
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
      "context_length": {
        "type": "integer",
        "minimum": 1,
        "maximum": 8000000,
        "description": "Tokens, input and output together."
      },
      "endpoints": {
        "type": "array",
        "minItems": 1,
        "maxItems": 10,
        "uniqueItems": true,
        "default": [
          "chat.completions"
        ],
        "items": {
          "type": "string",
          "enum": [
            "chat.completions",
            "completions",
            "embeddings",
            "responses"
          ]
        },
        "description": "Endpoints that every upstream serves.",
        "x-admin": {
          "words": {
            "chat.completions": "Chat completions"
          }
        }
      },
      "input_modalities": {
        "type": "array",
        "maxItems": 10,
        "uniqueItems": true,
        "default": [],
        "items": {
          "type": "string",
          "enum": [
            "text",
            "image",
            "audio",
            "video",
            "file"
          ]
        },
        "description": "Content that requests may contain. A request with other content is refused before it is forwarded. Select none if unknown; every request is then forwarded.",
        "x-admin": {
          "label": "Reads"
        }
      },
      "output_modalities": {
        "type": "array",
        "maxItems": 10,
        "uniqueItems": true,
        "default": [],
        "items": {
          "type": "string",
          "enum": [
            "text",
            "image",
            "audio",
            "embeddings"
          ]
        },
        "description": "What answers contain. Select none to list outputs by endpoint: text, embeddings or both.",
        "x-admin": {
          "label": "Writes"
        }
      },
      "input_price": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,3}(\\.[0-9]{1,6})?$",
        "description": "US dollars per million input tokens.",
        "x-admin": {
          "widget": "money"
        }
      },
      "cached_input_price": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,3}(\\.[0-9]{1,6})?$",
        "description": "US dollars per million input tokens that the upstream had cached. Leave empty for the price of other input tokens.",
        "x-admin": {
          "widget": "money"
        }
      },
      "output_price": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,3}(\\.[0-9]{1,6})?$",
        "description": "US dollars per million output tokens.",
        "x-admin": {
          "widget": "money"
        }
      },
      "upstreams": {
        "type": "array",
        "minItems": 1,
        "maxItems": 20,
        "items": {
          "$ref": "#/components/schemas/AiModelUpstream"
        },
        "description": "The first is preferred. The others are tried in this order when it fails."
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "disabled"
        ],
        "default": "active",
        "x-admin": {
          "widget": "status"
        }
      }
    }
  },
  "CreateAdminAiUpstream": {
    "type": "object",
    "description": "A model server to add.",
    "additionalProperties": false,
    "required": [
      "name",
      "url"
    ],
    "properties": {
      "name": {
        "type": "string",
        "maxLength": 64,
        "minLength": 2,
        "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"
      },
      "url": {
        "type": "string",
        "maxLength": 2000,
        "minLength": 1,
        "pattern": "^https?://",
        "description": "Base URL of its API, such as https://models.example.com/v1.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "api_key": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 4096,
        "x-secret": true,
        "description": "Sent as a bearer token. Stored encrypted and never shown.",
        "x-admin": {
          "widget": "secret",
          "label": "API key"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "disabled"
        ],
        "default": "active",
        "x-admin": {
          "widget": "status"
        }
      },
      "max_concurrency": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 10000,
        "description": "Requests in progress, per server process. Leave empty for no limit."
      },
      "timeout_seconds": {
        "type": "integer",
        "minimum": 1,
        "maximum": 600,
        "default": 300,
        "description": "Longest wait for an answer to begin, and between two of its parts. Comments that only keep the connection open don't begin it."
      },
      "evidence_required": {
        "type": "boolean",
        "default": false,
        "description": "No prompt is sent here before the server has proven what it runs: a gateway in a TEE verifies its aci/1 report and pins its TLS key. The gateway of this server verifies no evidence, so it never uses this upstream."
      },
      "accepted_app_ids": {
        "type": "array",
        "maxItems": 50,
        "default": [],
        "items": {
          "type": "string",
          "maxLength": 44,
          "pattern": "^(app_|0x)?[0-9a-fA-F]{40}$"
        },
        "description": "IDs of the dstack apps that may answer. Their quote proves the ID.",
        "x-admin": {
          "label": "Accepted apps",
          "widget": "mono",
          "only_for": {
            "evidence_required": [
              "true"
            ]
          }
        }
      },
      "accepted_kms_keys": {
        "type": "array",
        "maxItems": 20,
        "default": [],
        "items": {
          "type": "string",
          "maxLength": 68,
          "pattern": "^(0x)?0[23][0-9a-fA-F]{64}$"
        },
        "description": "Root keys (k256) of key management services. Only an app that gets its keys from one of them may answer.",
        "x-admin": {
          "label": "Accepted KMS root keys",
          "widget": "mono",
          "only_for": {
            "evidence_required": [
              "true"
            ]
          }
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
          "widget": "formatted"
        },
        "description": "Plain text. Blank lines separate paragraphs and lines that start with - form a list. Supports **bold**, `code` and [links](https://…)."
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
        "description": "Everyone includes visitors who aren't signed in. A teepod, node, KMS or OS image means the members of all teams with a CVM on it.",
        "x-admin": {
          "words": {
            "everybody": "Everyone",
            "workspaces": "Teams"
          }
        }
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
        "x-admin": {
          "label": "Teams",
          "reference": "workspaces",
          "only_for": {
            "audience": [
              "workspaces"
            ]
          }
        },
        "description": "Teams whose members see it."
      },
      "teepod_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "teepods",
          "only_for": {
            "audience": [
              "teepod"
            ]
          }
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
          "reference": "nodes",
          "only_for": {
            "audience": [
              "node"
            ]
          }
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
          "reference": "kms",
          "only_for": {
            "audience": [
              "kms"
            ]
          }
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
          "reference": "os-images",
          "only_for": {
            "audience": [
              "os_image"
            ]
          }
        }
      },
      "starts_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "description": "Leave empty to start when published."
      },
      "ends_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "description": "Leave empty to show it until ended."
      },
      "dismissible": {
        "type": "boolean",
        "default": true,
        "description": "Users can close it."
      },
      "link": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "pattern": "^(https?://|/)[^\\s]*$",
        "description": "Link to more information: a URL, or a path on this server."
      },
      "notify": {
        "type": "boolean",
        "default": false,
        "x-admin": {
          "only_for": {
            "severity": [
              "critical"
            ]
          }
        },
        "description": "Also notify users in the console and by email, according to their settings. For critical announcements."
      }
    }
  },
  "CreateAdminAuditDestination": {
    "type": "object",
    "description": "A log system to add.",
    "additionalProperties": false,
    "required": [
      "name",
      "kind",
      "address"
    ],
    "properties": {
      "name": {
        "type": "string",
        "maxLength": 64,
        "minLength": 2,
        "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"
      },
      "kind": {
        "type": "string",
        "enum": [
          "syslog_tls",
          "syslog_tcp",
          "webhook"
        ],
        "description": "`syslog_tls`: RFC 5424 over TLS. `syslog_tcp`: the same without encryption. `webhook`: batches of JSON."
      },
      "address": {
        "type": "string",
        "maxLength": 2000,
        "minLength": 1,
        "description": "For a webhook a URL, such as https://logs.example.com/teehouse. For syslog a host and port, such as logs.example.com:6514.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "secret": {
        "type": "string",
        "minLength": 16,
        "maxLength": 512,
        "x-secret": true,
        "description": "Signs each request, as for the webhooks of teams. At least 16 characters. Stored encrypted and never shown.",
        "x-admin": {
          "widget": "secret",
          "label": "Signing secret",
          "only_for": {
            "kind": [
              "webhook"
            ]
          }
        }
      },
      "ca_certificate": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 65536,
        "minLength": 1,
        "description": "Certificates of the authorities trusted to sign the server's certificate, in PEM. Null for those that the system trusts.",
        "x-admin": {
          "label": "CA certificate",
          "widget": "textarea",
          "only_for": {
            "kind": [
              "syslog_tls"
            ]
          }
        }
      },
      "client_certificate": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 65536,
        "minLength": 1,
        "description": "Certificate that this server presents to the log system, in PEM, including intermediates. Requires `client_key`. Null for none.",
        "x-admin": {
          "label": "Client certificate",
          "widget": "textarea",
          "only_for": {
            "kind": [
              "syslog_tls"
            ]
          }
        }
      },
      "client_key": {
        "type": "string",
        "minLength": 1,
        "maxLength": 65536,
        "x-secret": true,
        "description": "Private key of the client certificate, in PEM and without a passphrase. Stored encrypted and never shown.",
        "x-admin": {
          "widget": "secret",
          "label": "Client key",
          "only_for": {
            "kind": [
              "syslog_tls"
            ]
          }
        }
      },
      "start": {
        "type": "string",
        "enum": [
          "now",
          "beginning"
        ],
        "default": "now",
        "description": "`now`: entries from the last minute on. `beginning`: the whole audit log."
      }
    }
  },
  "CreateAdminCredit": {
    "type": "object",
    "description": "Credit for a team.",
    "additionalProperties": false,
    "required": [
      "team_id",
      "amount",
      "reason"
    ],
    "properties": {
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "workspaces",
          "label": "Team"
        }
      },
      "amount": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,6})?$",
        "description": "US dollars.",
        "x-admin": {
          "widget": "money"
        }
      },
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500,
        "description": "The team sees it."
      },
      "expires_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "default": null,
        "description": "Leave empty for credit that never expires."
      }
    }
  },
  "CreateAdminCreditNote": {
    "type": "object",
    "description": "Amount to credit, and the reason.",
    "additionalProperties": false,
    "required": [
      "reason"
    ],
    "properties": {
      "amount": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,2}0{0,4})?$",
        "default": null,
        "description": "US dollars before tax, in whole cents. Leave empty for everything that is left.",
        "x-admin": {
          "widget": "money"
        }
      },
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500,
        "description": "The team sees it."
      }
    }
  },
  "CreateAdminGateway": {
    "type": "object",
    "description": "A gateway to add.",
    "additionalProperties": false,
    "required": [
      "base_domain"
    ],
    "properties": {
      "base_domain": {
        "type": "string",
        "maxLength": 253,
        "minLength": 1,
        "pattern": "^[a-z0-9.-]+(:[0-9]+)?$",
        "description": "Of the addresses it serves, as its teepods report it.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "url": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "minLength": 1,
        "pattern": "^(https?://|unix:/)",
        "description": "Address of its admin API, such as http://127.0.0.1:8011, or unix:/path.",
        "x-admin": {
          "widget": "mono",
          "label": "Admin address"
        }
      },
      "credential": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 4096,
        "x-secret": true,
        "description": "Token of its admin API. Stored encrypted and never shown.",
        "x-admin": {
          "widget": "secret",
          "label": "Token"
        }
      }
    }
  },
  "CreateAdminGpu": {
    "type": "object",
    "description": "A GPU to prepare. It isn't assigned until its host reports it.",
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
        "description": "PCI address reported by the host, such as 0000:17:00.0.",
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
        "description": "PCI vendor and product IDs. An H200 is 10de:2335.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "description": {
        "type": "string",
        "maxLength": 500,
        "description": "Model reported by the host, for example H200 NVL.",
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
    "description": "A new instance type.",
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
        "description": "For example tdx.small. Can't be changed later.",
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
        "maximum": 65536,
        "description": "The disk that the hourly rate includes. More is charged per GB."
      },
      "hourly_rate": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,6})?$",
        "description": "US dollars per hour.",
        "x-admin": {
          "widget": "money"
        }
      },
      "gpu_hourly_rate": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,6})?$",
        "description": "Share of the hourly rate that is for GPUs. Usage shows it as a separate line.",
        "default": "0",
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
        "description": "Name shown to users and clients."
      },
      "type": {
        "type": "string",
        "enum": [
          "phala",
          "ethereum",
          "base",
          "legacy"
        ],
        "description": "Type that clients request by name. The types ethereum and base are governed by a contract, which may be on another network than the name says.",
        "default": "phala"
      },
      "url": {
        "type": "string",
        "maxLength": 2000,
        "minLength": 1,
        "pattern": "^(https?://|unix:/)",
        "description": "Base URL, such as https://kms.example:8000. Its certificate is self-signed; trust is based on the pinned keys.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "version": {
        "type": "string",
        "maxLength": 64,
        "description": "As stated by its operator.",
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
        "description": "`retiring` accepts no new apps; `retired` has none left.",
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
        "description": "The secp256k1 root key that must sign every environment key (33 bytes, hex). Compare it with its operator or contract first.",
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
        "description": "Chain of its governing contract."
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
        "minLength": 1,
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
        "description": "`local` is a development chain on this machine (31337)."
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
        "description": "The KMS whose keys are compared with the contract's.",
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
        "description": "A retired contract is no longer read.",
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
        "description": "How long before the start teams are notified."
      },
      "reason": {
        "type": "string",
        "minLength": 3,
        "maxLength": 500,
        "description": "Shown to the affected teams."
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
        "minLength": 1,
        "maxLength": 64,
        "x-admin": {
          "suggest": "nodes"
        },
        "description": "Location of the machine. Choose an existing region or enter a new one."
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
        "minLength": 1,
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
        "minLength": 1,
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
        "minLength": 1,
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
  "CreateAdminOrderProduct": {
    "type": "object",
    "description": "A product.",
    "additionalProperties": false,
    "required": [
      "name",
      "instance_type",
      "period",
      "price",
      "stock"
    ],
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100,
        "description": "Such as “H200 for a month”."
      },
      "description": {
        "type": "string",
        "maxLength": 1000,
        "default": "",
        "x-admin": {
          "widget": "textarea"
        }
      },
      "instance_type": {
        "type": "string",
        "minLength": 1,
        "maxLength": 64,
        "x-admin": {
          "reference": "instance-types"
        }
      },
      "covers": {
        "type": "string",
        "enum": [
          "cvm",
          "gpus"
        ],
        "default": "cvm",
        "description": "Everything of one CVM except disk above what its type includes, or only its GPUs."
      },
      "period": {
        "type": "string",
        "enum": [
          "day",
          "month"
        ]
      },
      "price": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,2}0{0,4})?$",
        "x-admin": {
          "widget": "money"
        },
        "description": "US dollars per period, in whole cents. Below the metered price, the difference counts toward the approval limit, and another administrator may have to approve it."
      },
      "min_periods": {
        "type": "integer",
        "minimum": 1,
        "maximum": 366,
        "default": 1,
        "description": "Not refunded once it has begun.",
        "x-admin": {
          "label": "Shortest term, in periods"
        }
      },
      "max_periods": {
        "type": "integer",
        "minimum": 1,
        "maximum": 366,
        "default": 12,
        "description": "Longest term of one order. Orders can be renewed.",
        "x-admin": {
          "label": "Longest term, in periods"
        }
      },
      "refund_percent": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100,
        "default": 0,
        "description": "Share of the whole hours after the shortest term that is refunded when an order is canceled.",
        "x-admin": {
          "label": "Refund in percent"
        }
      },
      "stock": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000,
        "description": "Orders that can exist at a time."
      },
      "starts_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "default": null,
        "description": "The earliest start of a term. Leave empty for now."
      },
      "ends_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "default": null,
        "description": "The latest end of a term. Leave empty for none."
      }
    }
  },
  "CreateAdminPromotionCode": {
    "type": "object",
    "description": "A promotion code. Give an amount, or a percentage with a cap.",
    "additionalProperties": false,
    "required": [
      "code"
    ],
    "properties": {
      "code": {
        "type": "string",
        "minLength": 3,
        "maxLength": 40,
        "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]*$",
        "description": "Letters, digits, hyphens and underscores. Upper and lower case are the same."
      },
      "description": {
        "type": "string",
        "maxLength": 500,
        "default": "",
        "description": "The reason that teams see beside the credit."
      },
      "amount": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,6})?$",
        "default": null,
        "description": "US dollars.",
        "x-admin": {
          "widget": "money"
        }
      },
      "percent": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 100,
        "default": null,
        "description": "Of the team's next payment, up to the maximum credit."
      },
      "cap": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,6})?$",
        "default": null,
        "description": "In US dollars. Required with a percentage.",
        "x-admin": {
          "widget": "money",
          "label": "Maximum credit"
        }
      },
      "max_uses": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000000,
        "default": null,
        "description": "Leave empty for any number.",
        "x-admin": {
          "label": "Total uses"
        }
      },
      "max_uses_per_team": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000,
        "default": 1,
        "description": "Counts all teams with the same owner, account or saved card. Leave empty for no limit.",
        "x-admin": {
          "label": "Uses per team"
        }
      },
      "new_teams_days": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 3650,
        "default": null,
        "description": "Only for teams created at most this many days ago.",
        "x-admin": {
          "label": "Days since the team was created"
        }
      },
      "starts_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "default": null
      },
      "ends_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "default": null
      },
      "credit_days": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 3650,
        "default": null,
        "description": "Days until the credit expires. Leave empty for never.",
        "x-admin": {
          "label": "Days the credit lasts"
        }
      },
      "welcome": {
        "type": "boolean",
        "default": false,
        "x-admin": {
          "label": "Welcome credit"
        },
        "description": "Redeemed automatically with a team's first payment that reaches the minimum. Members can't redeem it themselves. USDC deposits and automatic payments don't count. Refunding the payment takes the credit back."
      },
      "minimum": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,6})?$",
        "default": null,
        "description": "US dollars that the payment for a welcome credit must reach. Leave empty for $5.",
        "x-admin": {
          "widget": "money",
          "label": "Minimum first payment"
        }
      }
    }
  },
  "CreateAdminTeepod": {
    "type": "object",
    "description": "A dstack-vmm host to add. Omitted capacity is taken from the host's first response.",
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
      "credential": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 4096,
        "x-secret": true,
        "description": "A bearer token, or user:password for basic. Stored encrypted and never shown.",
        "x-admin": {
          "widget": "secret",
          "only_for": {
            "credential_kind": [
              "bearer",
              "basic"
            ]
          }
        }
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
        "description": "A cordoned teepod takes no new CVMs. Existing ones keep running.",
        "x-admin": {
          "widget": "status"
        }
      },
      "tee": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "tdx",
          "sev_snp",
          null
        ],
        "description": "TEE of its CPUs: Intel TDX or AMD SEV-SNP. The host doesn't report it, so leave it empty if you don't know.",
        "x-admin": {
          "label": "TEE"
        }
      },
      "gateway_base_domain": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 253,
        "pattern": "^[a-z0-9.-]+(:[0-9]+)?$",
        "description": "Leave empty to use what the host reports. May include :port.",
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
        "maximum": 100000,
        "description": "Leave empty to use what the host reports. If the host's own limit is lower, that limit applies."
      },
      "max_vcpu": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000,
        "description": "Leave empty to use what the host reports."
      },
      "max_memory_mb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "description": "Leave empty to use what the host reports."
      },
      "max_disk_gb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "description": "Disk that CVMs may use. Hosts don't report it, and no CVM fits until you enter it."
      },
      "listed": {
        "type": "boolean",
        "default": true,
        "description": "Shown to teams in host lists."
      },
      "all_teams": {
        "type": "boolean",
        "default": true,
        "description": "Every team can deploy here."
      }
    }
  },
  "CreateAdminTemplate": {
    "type": "object",
    "description": "A new template: its two files, or the address of a folder that has both.",
    "additionalProperties": false,
    "required": [
      "id"
    ],
    "properties": {
      "id": {
        "type": "string",
        "minLength": 5,
        "maxLength": 63,
        "description": "In the address of its page, and the default name of its apps. Can't be changed later.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "source_url": {
        "type": "string",
        "minLength": 1,
        "maxLength": 2048,
        "description": "https:// address of a folder with template.yaml and docker-compose.yml, such as the raw files of a repository at a commit. Leave empty to enter both.",
        "x-admin": {
          "label": "Address",
          "widget": "mono"
        }
      },
      "metadata": {
        "type": "string",
        "minLength": 1,
        "maxLength": 65536,
        "description": "template.yaml",
        "x-admin": {
          "widget": "code"
        }
      },
      "compose_file": {
        "type": "string",
        "minLength": 1,
        "maxLength": 65536,
        "description": "docker-compose.yml",
        "x-admin": {
          "widget": "code"
        }
      }
    }
  },
  "CreateAdminViewAs": {
    "type": "object",
    "description": "The reason for viewing as another user, and for how long.",
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
        "description": "Recorded in the audit log."
      },
      "minutes": {
        "type": "integer",
        "minimum": 1,
        "maximum": 60,
        "default": 15,
        "description": "Ends automatically."
      }
    }
  },
  "DecideAdminAbuseReport": {
    "type": "object",
    "description": "Why a report is decided that way.",
    "additionalProperties": false,
    "required": [
      "reason"
    ],
    "properties": {
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500,
        "description": "The team can read it."
      }
    }
  },
  "DecideAdminDrainCvm": {
    "type": "object",
    "description": "Planned action.",
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
  "DeployAdminAiGateway": {
    "type": "object",
    "description": "Where a gateway is deployed.",
    "additionalProperties": false,
    "required": [
      "instance_type"
    ],
    "properties": {
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "description": "The team that owns the CVM and pays for it. Its members can read what the gateway reads, the API keys of upstreams included, so only a team in which your role lets you deploy is accepted. Leave empty for your own.",
        "x-admin": {
          "reference": "workspaces",
          "own_permission": "cvms.write",
          "label": "Team"
        }
      },
      "name": {
        "type": "string",
        "maxLength": 63,
        "minLength": 5,
        "pattern": "^[a-zA-Z](?!.*--)([a-zA-Z0-9-]*[a-zA-Z0-9])?$",
        "description": "Name of the CVM. Leave empty to name it after the gateway.",
        "x-admin": {
          "label": "CVM name"
        }
      },
      "instance_type": {
        "type": "string",
        "maxLength": 64,
        "minLength": 1,
        "x-admin": {
          "reference": "instance-types"
        }
      },
      "teepod_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "description": "A host with a TEE; the built-in host has none. Leave empty for any host that the team can use and that has capacity.",
        "x-admin": {
          "reference": "teepods"
        }
      },
      "region": {
        "type": "string",
        "maxLength": 64,
        "minLength": 1,
        "description": "Leave empty for any."
      }
    }
  },
  "DrainAdminTeepod": {
    "type": "object",
    "description": "How to drain a teepod. Disks don't move between hosts: moved CVMs start with an empty one.",
    "additionalProperties": false,
    "required": [
      "reason"
    ],
    "properties": {
      "exceptions": {
        "type": "array",
        "maxItems": 1000,
        "default": [],
        "x-admin": {
          "widget": "drain_plan"
        },
        "items": {
          "$ref": "#/components/schemas/AdminDrainException"
        }
      },
      "movable": {
        "type": "string",
        "enum": [
          "move",
          "stop"
        ],
        "default": "move",
        "x-admin": {
          "label": "Movable CVMs"
        },
        "description": "CVMs whose owner allows moving, or that store nothing on disk."
      },
      "others": {
        "type": "string",
        "enum": [
          "stop",
          "leave"
        ],
        "default": "stop",
        "x-admin": {
          "label": "Other CVMs"
        },
        "description": "All other CVMs: stopped with notice, or left running, which keeps the drain from completing."
      },
      "stop_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "x-admin": {
          "label": "Stop time"
        },
        "description": "When CVMs are stopped. Defaults to a day from now; a past time means immediately."
      },
      "reason": {
        "type": "string",
        "minLength": 3,
        "maxLength": 500,
        "description": "Shown to the affected teams."
      }
    }
  },
  "GiveUpCvm": {
    "type": "object",
    "description": "The CVM's name, typed to confirm that its disk is given up.",
    "additionalProperties": false,
    "required": [
      "name"
    ],
    "properties": {
      "name": {
        "type": "string",
        "maxLength": 63,
        "minLength": 1
      }
    }
  },
  "MarkAdminGpuFaulty": {
    "type": "object",
    "description": "Why a GPU is out of service.",
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
  "RefundAdminOrder": {
    "type": "object",
    "description": "Amount to refund of an order.",
    "additionalProperties": false,
    "required": [
      "amount",
      "reason"
    ],
    "properties": {
      "amount": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,6})?$",
        "description": "US dollars, at most what was charged and not yet refunded.",
        "x-admin": {
          "widget": "money"
        }
      },
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500,
        "description": "The team sees it."
      }
    }
  },
  "RefundAdminPayment": {
    "type": "object",
    "description": "Amount to refund of a card payment.",
    "additionalProperties": false,
    "required": [
      "amount",
      "reason"
    ],
    "properties": {
      "amount": {
        "type": "string",
        "maxLength": 32,
        "pattern": "^[0-9]{1,18}(\\.[0-9]{1,2}0{0,4})?$",
        "description": "US dollars in whole cents, at most what is left of the payment and of the team's prepaid funds.",
        "x-admin": {
          "widget": "money"
        }
      },
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500,
        "description": "For the audit log."
      }
    }
  },
  "RejectAdminFinanceAction": {
    "type": "object",
    "description": "Why a request is rejected.",
    "additionalProperties": false,
    "required": [
      "reason"
    ],
    "properties": {
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500,
        "description": "Its requester sees it."
      }
    }
  },
  "RejectAdminPayment": {
    "type": "object",
    "description": "Why a payment is rejected.",
    "additionalProperties": false,
    "required": [
      "reason"
    ],
    "properties": {
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500,
        "description": "The team sees it."
      }
    }
  },
  "ReserveAdminGpu": {
    "type": "object",
    "description": "The team a GPU is reserved for.",
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
  "ReverseAdminPayment": {
    "type": "object",
    "description": "Which transfer was confirmed by mistake, and why.",
    "additionalProperties": false,
    "required": [
      "bank_reference",
      "reason"
    ],
    "properties": {
      "bank_reference": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100,
        "description": "The bank's transfer number, as it was confirmed."
      },
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500,
        "description": "The team sees it."
      }
    }
  },
  "RevokeAdminCredit": {
    "type": "object",
    "description": "Why a credit is revoked.",
    "additionalProperties": false,
    "required": [
      "reason"
    ],
    "properties": {
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500,
        "description": "The team sees it."
      }
    }
  },
  "TryAdminKmsContractApp": {
    "type": "object",
    "description": "A CVM's boot parameters, from its host and measurements.",
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
        "description": "SHA-256 of the app's app-compose file."
      },
      "os_image_hash": {
        "type": "string",
        "maxLength": 66,
        "minLength": 64,
        "pattern": "^(0x)?[0-9a-fA-F]{64}$",
        "x-admin": {
          "widget": "mono"
        },
        "description": "Contracts don't allow zero."
      },
      "device_id": {
        "type": "string",
        "maxLength": 66,
        "minLength": 64,
        "pattern": "^(0x)?[0-9a-fA-F]{64}$",
        "x-admin": {
          "widget": "mono"
        },
        "description": "Device ID of the host; used only by apps bound to devices."
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
          "widget": "mono",
          "label": "Aggregated measurement"
        }
      },
      "mr_system": {
        "type": "string",
        "maxLength": 66,
        "minLength": 64,
        "pattern": "^(0x)?[0-9a-fA-F]{64}$",
        "x-admin": {
          "widget": "mono",
          "label": "System measurement"
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
        "description": "TCB status of the host's firmware."
      }
    }
  },
  "UncordonAdminTeepod": {
    "type": "object",
    "description": "Whether to start the CVMs stopped by the drain.",
    "additionalProperties": false,
    "properties": {
      "start_stopped": {
        "type": "boolean",
        "default": true,
        "description": "Start the CVMs stopped by the last drain and unchanged since."
      }
    }
  },
  "VoidAdminInvoice": {
    "type": "object",
    "description": "Why an invoice is closed without payment.",
    "additionalProperties": false,
    "required": [
      "reason"
    ],
    "properties": {
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500,
        "description": "Kept in the audit log."
      }
    }
  }
};
