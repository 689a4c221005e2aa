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
    "update": "AdminNodePatch",
    "hints": {
      "delete": {
        "effects": [
          "The node is removed from every list. Nothing on the machine changes."
        ]
      }
    }
  },
  "gateways": {
    "path": "/admin/gateways",
    "id_type": "integer",
    "schema": "AdminGateway",
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
    "create": "CreateAdminGateway",
    "update": "AdminGatewayPatch",
    "hints": {
      "delete": {
        "effects": [
          "Its stored token is removed. The gateway itself keeps running."
        ]
      }
    }
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
        "confirm": "No new CVMs are placed here. Existing ones keep running.",
        "bulk": true,
        "done": "{record} cordoned",
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
        "done": "{record} uncordoned",
        "when": {
          "state": [
            "cordoned",
            "draining",
            "offline"
          ],
          "drain_id": [
            null
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
        "confirm": "No new CVMs are placed here. CVMs that can be moved are recreated on another host with an empty disk; the others are stopped at the time you set, and their teams are notified.",
        "danger": true,
        "done": "Drain of {record} started",
        "when": {
          "state": [
            "online",
            "cordoned"
          ]
        }
      }
    ],
    "create": "CreateAdminTeepod",
    "update": "AdminTeepodPatch",
    "hints": {
      "delete": {
        "effects": [
          "The host is removed from every list. Nothing on it changes, and it can be added again."
        ],
        "needs": [
          {
            "field": "kind",
            "values": [
              "dstack_vmm"
            ],
            "text": "The built-in teepod is part of this server."
          },
          {
            "field": "used_cvms",
            "values": [
              0
            ],
            "text": "It has CVMs. Move or delete them first."
          }
        ]
      }
    }
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
    "update": "AdminInstanceTypePatch",
    "hints": {
      "delete": {
        "effects": [
          "Teams can't choose it anymore. To keep it for existing CVMs, retire it instead."
        ]
      }
    }
  },
  "templates": {
    "path": "/admin/templates",
    "id_type": "string",
    "schema": "AdminTemplate",
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
    "actions": [
      {
        "name": "reload",
        "permission": "admin.catalogue.write",
        "ask": "Read the files of {record} again",
        "confirm": "The files at its address replace the ones that are offered now.",
        "when": {
          "origin": [
            "address"
          ]
        },
        "done": "Files of {record} read again"
      }
    ],
    "create": "CreateAdminTemplate",
    "update": "AdminTemplatePatch",
    "hints": {
      "delete": {
        "effects": [
          "Teams can't deploy it anymore. Apps based on it keep running.",
          "A template with the same ID in a folder on the server is offered again."
        ]
      }
    },
    "partial": true
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
        "ask": "Queue mail “{record}” again",
        "bulk": true,
        "when": {
          "state": [
            "queued",
            "failed",
            "kept"
          ]
        },
        "done": "Mail “{record}” queued again"
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
        "confirm": "The CVM boots on its host, and its team is billed while it runs.",
        "bulk": true,
        "done": "{record} is starting",
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
        "label": "Shut down",
        "ask": "Shut down {record}",
        "confirm": "Its containers are stopped gracefully. If it doesn't respond within a minute, it is force stopped. Its team can see who did this.",
        "bulk": true,
        "done": "{record} is shutting down",
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
        "confirm": "Like cutting the power: containers get no warning and unwritten data is lost. Its team can see who did this.",
        "danger": true,
        "bulk": true,
        "done": "{record} is being stopped",
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
        "confirm": "Unavailable until booted again. The team can see who did this.",
        "bulk": true,
        "done": "{record} is restarting",
        "when": {
          "status": [
            "error",
            "running"
          ]
        }
      },
      {
        "name": "give-up",
        "permission": "admin.cvms.write",
        "body": "GiveUpCvm",
        "confirm": "It starts on its host with an empty disk. The old VM is kept if the host lists it again, but this CVM never uses it again. Its team can see who did this.",
        "danger": true,
        "when": {
          "status": [
            "lost"
          ]
        },
        "done": "{record} is starting with an empty disk"
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
        "label": "Cancel job",
        "ask": "Cancel {record}",
        "keep": "Keep running",
        "confirm": "Completed rows stay changed; the rest are left untouched.",
        "when": {
          "state": [
            "queued",
            "running"
          ]
        },
        "done": "{record} canceled"
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
    "hints": {
      "edit": {
        "needs": [
          {
            "field": "mine",
            "values": [
              true
            ],
            "text": "Only its owner can change it. Save your own view instead."
          }
        ]
      },
      "delete": {
        "effects": [
          "The view is removed for everyone it is shared with. The list itself isn't affected."
        ]
      }
    },
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
        "ask": "Publish announcement “{record}”",
        "confirm": "You can correct or end it later.",
        "panel": "announcements/PublishReach",
        "when": {
          "state": [
            "draft"
          ]
        },
        "done": "Announcement “{record}” published"
      },
      {
        "name": "end",
        "permission": "admin.announcements.write",
        "ask": "End announcement “{record}”",
        "confirm": "It disappears from every page immediately, and can't be published again.",
        "danger": true,
        "when": {
          "state": [
            "scheduled",
            "live"
          ]
        },
        "done": "Announcement “{record}” ended"
      }
    ],
    "create": "CreateAdminAnnouncement",
    "hints": {
      "edit": {
        "needs": [
          {
            "field": "state",
            "values": [
              "draft",
              "scheduled",
              "live"
            ],
            "text": "It has ended. Create a new one instead."
          }
        ]
      },
      "delete": {
        "effects": [
          "The draft is removed. Nobody has seen it."
        ],
        "needs": [
          {
            "field": "state",
            "values": [
              "draft"
            ],
            "text": "It was published, so it can only be ended."
          }
        ]
      }
    },
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
        "ask": "Retry “{record}”",
        "bulk": true,
        "when": {
          "can_retry": [
            true
          ]
        },
        "done": "Retry of “{record}” requested"
      },
      {
        "name": "cancel",
        "permission": "admin.queues.write",
        "label": "Cancel job",
        "ask": "Cancel “{record}”",
        "keep": "Keep job",
        "confirm": "Work already started is undone where possible. The owner sees that it was canceled.",
        "danger": true,
        "bulk": true,
        "when": {
          "can_cancel": [
            true
          ]
        },
        "done": "“{record}” canceled"
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
        "ask": "Acknowledge alert “{record}”",
        "bulk": true,
        "when": {
          "state": [
            "open"
          ]
        },
        "done": "Alert “{record}” acknowledged"
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
        "ask": "Reserve GPU {record}",
        "bulk": true,
        "when": {
          "reserved": [
            false
          ],
          "state": [
            "free",
            "attached"
          ]
        },
        "done": "GPU {record} reserved"
      },
      {
        "name": "release",
        "permission": "admin.infra.write",
        "ask": "Release the reservation of GPU {record}",
        "confirm": "Any team can then use this GPU. A CVM that already has it keeps it.",
        "bulk": true,
        "when": {
          "reserved": [
            true
          ]
        },
        "done": "Reservation of GPU {record} released"
      },
      {
        "name": "attach",
        "permission": "admin.infra.write",
        "body": "AttachAdminGpu",
        "ask": "Attach GPU {record}",
        "confirm": "The CVM gets the GPU the next time it starts. Its hourly price doesn't change.",
        "when": {
          "state": [
            "free",
            "reserved"
          ],
          "held_until": [
            null
          ]
        },
        "done": "GPU {record} attached"
      },
      {
        "name": "detach",
        "permission": "admin.infra.write",
        "ask": "Detach GPU {record}",
        "confirm": "The CVM starts without this GPU from now on, and other CVMs can use it.",
        "when": {
          "attached": [
            true
          ]
        },
        "done": "GPU {record} detached"
      },
      {
        "name": "mark-faulty",
        "permission": "admin.infra.write",
        "body": "MarkAdminGpuFaulty",
        "ask": "Mark GPU {record} as faulty",
        "confirm": "No CVM gets this GPU until it is repaired. A CVM that already has it keeps it.",
        "when": {
          "state": [
            "free",
            "reserved",
            "attached"
          ]
        },
        "done": "GPU {record} marked as faulty"
      },
      {
        "name": "repair",
        "permission": "admin.infra.write",
        "ask": "Return GPU {record} to service",
        "confirm": "CVMs can use this GPU again.",
        "when": {
          "state": [
            "faulty"
          ]
        },
        "done": "GPU {record} returned to service"
      }
    ],
    "create": "CreateAdminGpu",
    "update": "AdminGpuPatch",
    "hints": {
      "delete": {
        "effects": [
          "The GPU is removed from every list. If its host reports it again, it reappears."
        ]
      }
    }
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
  "duplicate-vms": {
    "path": "/admin/duplicate-vms",
    "id_type": "integer",
    "schema": "AdminDuplicateVmRow",
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
        "name": "remove",
        "permission": "admin.infra.write",
        "ask": "Remove duplicate VM {record}",
        "confirm": "The VM and its disk are removed from the host for good. Its team can see who did this.",
        "danger": true,
        "done": "Duplicate VM {record} removed"
      }
    ]
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
        "bulk": true,
        "done": "{record} checked"
      },
      {
        "name": "retire-key",
        "permission": "admin.infra.write",
        "ask": "Retire the old root key of {record}",
        "confirm": "Keys that its instances still sign with the old root key are no longer accepted, so secrets can't be encrypted with them.",
        "danger": true,
        "when": {
          "presents": [
            "next"
          ]
        },
        "done": "Old root key of {record} retired"
      },
      {
        "name": "create-webhook-url",
        "permission": "admin.infra.write",
        "reply": "AdminKmsWebhook",
        "ask": "Create a webhook URL for {record}",
        "confirm": "An earlier webhook URL stops working immediately: enter the new one in the KMS's configuration and restart it."
      },
      {
        "name": "revoke-webhook-url",
        "permission": "admin.infra.write",
        "ask": "Revoke the webhook URL of {record}",
        "confirm": "A KMS configured with it releases no keys, so none of its CVMs can start.",
        "danger": true,
        "done": "Webhook URL of {record} revoked"
      }
    ],
    "create": "CreateAdminKms",
    "update": "AdminKmsPatch",
    "hints": {
      "delete": {
        "effects": [
          "Its pinned keys are removed from this server. The key service itself isn't changed."
        ]
      }
    }
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
        "ask": "Refresh contract {record}",
        "bulk": true,
        "done": "Contract {record} refreshed"
      },
      {
        "name": "try-app",
        "permission": "admin.infra.read",
        "body": "TryAdminKmsContractApp",
        "reply": "AdminContractVerdict",
        "ask": "Try an app with contract {record}"
      }
    ],
    "create": "CreateAdminKmsContract",
    "update": "AdminKmsContractPatch",
    "hints": {
      "delete": {
        "effects": [
          "The contract is removed from this server. Nothing is sent to the chain."
        ]
      }
    }
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
        "not_self": "You can't suspend yourself.",
        "confirm": "All their sessions end, and their API tokens are rejected until you reactivate the user. Their CVMs keep running.",
        "danger": true,
        "when": {
          "state": [
            "active"
          ]
        },
        "done": "{record} suspended"
      },
      {
        "name": "reactivate",
        "permission": "admin.users.write",
        "body": "AdminReason",
        "confirm": "They can sign in again, and their API tokens work again immediately. Ended sessions stay ended.",
        "when": {
          "state": [
            "suspended"
          ]
        },
        "done": "{record} reactivated"
      },
      {
        "name": "resend-verification",
        "permission": "admin.users.write",
        "ask": "Send {record} a confirmation link",
        "when": {
          "state": [
            "active"
          ],
          "email_verified_at": [
            null
          ]
        },
        "done": "Confirmation link sent to {record}"
      },
      {
        "name": "end-sessions",
        "permission": "admin.users.write",
        "body": "AdminReason",
        "ask": "End all sessions of {record}",
        "confirm": "They are signed out everywhere. Their API tokens stay valid.",
        "danger": true,
        "when": {
          "state": [
            "active"
          ]
        },
        "done": "Sessions of {record} ended"
      },
      {
        "name": "reset-second-factor",
        "permission": "admin.users.write",
        "body": "AdminReason",
        "not_self": "You can't reset your own two-factor authentication.",
        "ask": "Reset two-factor authentication of {record}",
        "confirm": "Authenticator app, passkeys and recovery codes are removed and all sessions end. Anyone with the password can then sign in, so verify who requested this.",
        "danger": true,
        "when": {
          "second_factor": [
            true
          ]
        },
        "done": "Two-factor authentication of {record} reset"
      },
      {
        "name": "view-as",
        "permission": "admin.users.view_as",
        "body": "CreateAdminViewAs",
        "reply": "AdminViewAs",
        "not_self": "You can't view the console as yourself.",
        "confirm": "You see the console as they do, read-only. Their teams see this and your reason in the audit log.",
        "when": {
          "state": [
            "active"
          ]
        }
      }
    ],
    "hints": {
      "edit": {
        "confirm": "A platform role gives access to the admin area and every team's data."
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
    "accepted": {
      "edit": "AdminFinanceAction"
    },
    "hints": {
      "edit": {
        "confirm": "Higher limits let the team use more host capacity. Lower limits don't stop anything that is running.",
        "needs": [
          {
            "field": "deleted_at",
            "values": [
              null
            ],
            "text": "The team is deleted."
          }
        ]
      },
      "delete": {
        "effects": [
          "Members who lose access and are notified by email: {member_count}.",
          "Apps that are removed: {app_count}.",
          "Balance that is lost: {balance}.",
          "Its invoices and audit log are kept."
        ],
        "needs": [
          {
            "field": "deleted_at",
            "values": [
              null
            ],
            "text": "The team is deleted."
          },
          {
            "field": "used_cvms",
            "values": [
              0
            ],
            "text": "It has CVMs. Its members must delete them first."
          },
          {
            "field": "in_debt",
            "values": [
              false
            ],
            "text": "It owes money. If it won't pay, grant it a credit of that amount first."
          }
        ]
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
        "ask": "Check the hash chain of {record}",
        "confirm": "Reads every entry in the chain and recomputes its hash.",
        "done": "Hash chain of {record} checked"
      }
    ]
  },
  "audit-destinations": {
    "path": "/admin/audit-destinations",
    "id_type": "integer",
    "schema": "AdminAuditDestination",
    "operations": [
      "list",
      "create",
      "show",
      "edit",
      "delete"
    ],
    "permissions": {
      "list": "admin.audit_destinations.read",
      "create": "admin.audit_destinations.write",
      "show": "admin.audit_destinations.read",
      "edit": "admin.audit_destinations.write",
      "delete": "admin.audit_destinations.write"
    },
    "actions": [
      {
        "name": "test",
        "permission": "admin.audit_destinations.write",
        "ask": "Send a test entry to {record}",
        "label": "Send test entry",
        "done": "Test entry delivered to {record}"
      },
      {
        "name": "pause",
        "permission": "admin.audit_destinations.write",
        "ask": "Pause delivery to {record}",
        "confirm": "Entries wait in the audit log until you resume.",
        "done": "Delivery to {record} paused",
        "when": {
          "state": [
            "active"
          ]
        }
      },
      {
        "name": "resume",
        "permission": "admin.audit_destinations.write",
        "ask": "Resume delivery to {record}",
        "done": "Delivery to {record} resumed",
        "when": {
          "state": [
            "paused"
          ]
        }
      }
    ],
    "create": "CreateAdminAuditDestination",
    "update": "AdminAuditDestinationPatch",
    "hints": {
      "delete": {
        "effects": [
          "Nothing more is delivered to it. The audit log itself isn't affected."
        ]
      }
    }
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
        "label": "Cancel drain",
        "ask": "Cancel {record}",
        "keep": "Keep draining",
        "confirm": "CVMs already moved or stopped stay that way; the other CVMs' teams are notified that nothing will happen. The teepod stays cordoned.",
        "done": "{record} canceled",
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
        "ask": "Choose an action for {record}",
        "confirm": "A moved CVM is recreated on another host with an empty disk. A stopped one keeps its disk here, and its team is notified. The drain can't finish while a CVM is left running.",
        "bulk": true,
        "done": "Action for {record} saved",
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
    "hints": {
      "edit": {
        "needs": [
          {
            "field": "state",
            "values": [
              "planned",
              "announced",
              "active"
            ],
            "text": "It has ended. Plan a new one instead."
          }
        ]
      },
      "delete": {
        "effects": [
          "Teams that were notified of a planned window are notified that it is canceled."
        ],
        "needs": [
          {
            "field": "state",
            "values": [
              "planned",
              "announced",
              "over"
            ],
            "text": "It is in progress. Change its end instead."
          }
        ]
      }
    },
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
  },
  "transactions": {
    "path": "/admin/transactions",
    "id_type": "integer",
    "schema": "AdminTransaction",
    "operations": [
      "list",
      "create",
      "show"
    ],
    "permissions": {
      "list": "admin.billing.read",
      "create": "admin.billing.write",
      "show": "admin.billing.read"
    },
    "actions": [],
    "accepted": {
      "create": "AdminFinanceAction"
    },
    "hints": {
      "create": {
        "label": "Adjust balance",
        "done": "Balance adjusted by {record}"
      }
    },
    "create": "CreateAdminAdjustment"
  },
  "credits": {
    "path": "/admin/credits",
    "id_type": "integer",
    "schema": "AdminCredit",
    "operations": [
      "list",
      "create",
      "show"
    ],
    "permissions": {
      "list": "admin.billing.read",
      "create": "admin.billing.write",
      "show": "admin.billing.read"
    },
    "actions": [
      {
        "name": "revoke",
        "permission": "admin.billing.write",
        "body": "RevokeAdminCredit",
        "idempotent": true,
        "accepted": "AdminFinanceAction",
        "ask": "Revoke credit of {record}",
        "confirm": "The team loses the unused amount. Past usage isn't charged again.",
        "danger": true,
        "when": {
          "state": [
            "active"
          ]
        },
        "done": "Credit of {record} revoked",
        "panel": "billing/CreditRevocation"
      }
    ],
    "accepted": {
      "create": "AdminFinanceAction"
    },
    "hints": {
      "create": {
        "label": "Grant credit",
        "done": "Credit of {record} granted"
      }
    },
    "create": "CreateAdminCredit"
  },
  "payments": {
    "path": "/admin/payments",
    "id_type": "integer",
    "schema": "AdminPayment",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.billing.read",
      "show": "admin.billing.read"
    },
    "actions": [
      {
        "name": "receipts",
        "permission": "admin.billing.write",
        "body": "ConfirmAdminPayment",
        "reply": "AdminPaymentConfirmation",
        "idempotent": true,
        "accepted": "AdminFinanceAction",
        "ask": "Confirm transfer {record}",
        "label": "Confirm transfer",
        "confirm": "The amount is added to the team's balance.",
        "when": {
          "driver": [
            "manual"
          ]
        },
        "done": "Transfer {record} confirmed",
        "unchanged": {
          "field": "already_confirmed",
          "text": "Transfer {record} was already confirmed, nothing added"
        },
        "panel": "billing/FundsNotice"
      },
      {
        "name": "refund",
        "permission": "admin.billing.write",
        "body": "RefundAdminPayment",
        "idempotent": true,
        "accepted": "AdminFinanceAction",
        "ask": "Refund payment {record}",
        "confirm": "The team's balance falls by the amount, and the card is credited within days.",
        "danger": true,
        "done": "Payment {record} refunded",
        "panel": "billing/FundsNotice",
        "when": {
          "driver": [
            "stripe"
          ],
          "state": [
            "paid",
            "part_paid"
          ]
        }
      },
      {
        "name": "reverse",
        "permission": "admin.billing.write",
        "body": "ReverseAdminPayment",
        "idempotent": true,
        "accepted": "AdminFinanceAction",
        "ask": "Reverse transfer {record}",
        "confirm": "The amount is taken from the team's balance. The team sees the reason.",
        "danger": true,
        "done": "Transfer {record} reversed",
        "panel": "billing/FundsNotice",
        "when": {
          "driver": [
            "manual"
          ],
          "state": [
            "paid",
            "part_paid"
          ]
        }
      },
      {
        "name": "reject",
        "permission": "admin.billing.write",
        "body": "RejectAdminPayment",
        "idempotent": true,
        "ask": "Reject payment {record}",
        "confirm": "The team sees the reason.",
        "danger": true,
        "done": "Payment {record} rejected",
        "when": {
          "state": [
            "pending"
          ],
          "driver": [
            "manual"
          ]
        }
      }
    ]
  },
  "invoices": {
    "path": "/admin/invoices",
    "id_type": "integer",
    "schema": "AdminInvoice",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.billing.read",
      "show": "admin.billing.read"
    },
    "actions": [
      {
        "name": "issue",
        "permission": "admin.billing.write",
        "idempotent": true,
        "ask": "Issue invoice {record}",
        "confirm": "It can no longer be changed. Its tax is charged to the team's balance.",
        "bulk": true,
        "done": "Invoice {record} issued",
        "when": {
          "state": [
            "draft"
          ]
        }
      },
      {
        "name": "void",
        "permission": "admin.billing.write",
        "body": "VoidAdminInvoice",
        "idempotent": true,
        "accepted": "AdminFinanceAction",
        "ask": "Void invoice {record}",
        "confirm": "The tax it charged is returned. The usage stays charged and is not invoiced again.",
        "danger": true,
        "done": "Invoice {record} voided",
        "panel": "billing/FundsNotice",
        "when": {
          "state": [
            "draft",
            "open",
            "overdue"
          ]
        }
      },
      {
        "name": "mark-uncollectible",
        "permission": "admin.billing.write",
        "body": "VoidAdminInvoice",
        "idempotent": true,
        "accepted": "AdminFinanceAction",
        "ask": "Mark invoice {record} as uncollectible",
        "confirm": "It is no longer expected to be paid.",
        "danger": true,
        "done": "Invoice {record} marked as uncollectible",
        "panel": "billing/FundsNotice",
        "when": {
          "state": [
            "open",
            "overdue"
          ]
        }
      },
      {
        "name": "credit",
        "permission": "admin.billing.write",
        "body": "CreateAdminCreditNote",
        "idempotent": true,
        "accepted": "AdminFinanceAction",
        "ask": "Create a credit note for invoice {record}",
        "confirm": "The amount and its tax are added to the team's balance.",
        "done": "Credit note for invoice {record} created",
        "panel": "billing/FundsNotice",
        "when": {
          "state": [
            "open",
            "paid",
            "overdue",
            "uncollectible"
          ],
          "kind": [
            "invoice"
          ]
        }
      }
    ]
  },
  "orders": {
    "path": "/admin/orders",
    "id_type": "integer",
    "schema": "AdminOrder",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.billing.read",
      "show": "admin.billing.read"
    },
    "actions": [
      {
        "name": "cancel",
        "permission": "admin.billing.write",
        "body": "CancelAdminOrder",
        "idempotent": true,
        "accepted": "AdminFinanceAction",
        "label": "Cancel order",
        "ask": "Cancel order {record}",
        "keep": "Keep order",
        "confirm": "The order ends, and its CVM is charged as usual. The team sees the reason.",
        "danger": true,
        "done": "Order {record} canceled",
        "panel": "billing/FundsNotice",
        "when": {
          "state": [
            "pending",
            "paid",
            "active"
          ]
        }
      },
      {
        "name": "refund",
        "permission": "admin.billing.write",
        "body": "RefundAdminOrder",
        "idempotent": true,
        "accepted": "AdminFinanceAction",
        "ask": "Refund order {record}",
        "confirm": "The amount is added to the team's balance. The order stays as it is.",
        "done": "Refund for order {record} added to the balance",
        "panel": "billing/FundsNotice",
        "when": {
          "state": [
            "paid",
            "active",
            "ended",
            "cancelled",
            "refunded"
          ]
        }
      }
    ]
  },
  "order-products": {
    "path": "/admin/order-products",
    "id_type": "integer",
    "schema": "AdminOrderProduct",
    "operations": [
      "list",
      "create",
      "show",
      "edit"
    ],
    "permissions": {
      "list": "admin.billing.read",
      "create": "admin.billing.write",
      "show": "admin.billing.read",
      "edit": "admin.billing.write"
    },
    "actions": [],
    "accepted": {
      "create": "AdminFinanceAction",
      "edit": "AdminFinanceAction"
    },
    "create": "CreateAdminOrderProduct",
    "update": "AdminOrderProductPatch"
  },
  "promotion-codes": {
    "path": "/admin/promotion-codes",
    "id_type": "integer",
    "schema": "AdminPromotionCode",
    "operations": [
      "list",
      "create",
      "show",
      "edit"
    ],
    "permissions": {
      "list": "admin.billing.read",
      "create": "admin.billing.write",
      "show": "admin.billing.read",
      "edit": "admin.billing.write"
    },
    "actions": [],
    "accepted": {
      "create": "AdminFinanceAction",
      "edit": "AdminFinanceAction"
    },
    "create": "CreateAdminPromotionCode",
    "update": "AdminPromotionCodePatch"
  },
  "finance-actions": {
    "path": "/admin/finance-actions",
    "id_type": "integer",
    "schema": "AdminFinanceAction",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.billing.read",
      "show": "admin.billing.read"
    },
    "actions": [
      {
        "name": "approve",
        "permission": "admin.billing.write",
        "idempotent": true,
        "ask": "Approve “{record}”",
        "confirm": "It takes effect immediately, as if you had requested it yourself.",
        "when": {
          "state": [
            "pending"
          ],
          "is_own": [
            false
          ]
        },
        "done": "Approved: {record}"
      },
      {
        "name": "reject",
        "permission": "admin.billing.write",
        "body": "RejectAdminFinanceAction",
        "ask": "Reject “{record}”",
        "confirm": "Nothing changes. It can be requested again.",
        "when": {
          "state": [
            "pending"
          ]
        },
        "done": "Rejected: {record}"
      }
    ]
  },
  "abuse-reports": {
    "path": "/admin/abuse-reports",
    "id_type": "integer",
    "schema": "AdminAbuseReport",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.abuse.read",
      "show": "admin.abuse.read"
    },
    "actions": [
      {
        "name": "dismiss",
        "permission": "admin.abuse.write",
        "body": "DecideAdminAbuseReport",
        "ask": "Dismiss the report about {record}",
        "confirm": "The app stays in public lists.",
        "when": {
          "state": [
            "open"
          ]
        },
        "done": "Report about {record} dismissed"
      },
      {
        "name": "delist",
        "permission": "admin.abuse.write",
        "body": "DecideAdminAbuseReport",
        "ask": "Remove {record} from public lists",
        "confirm": "The app is removed from the explorer, and its badge and widget say “not published”. Its CVMs keep running. Its team sees the reason.",
        "danger": true,
        "when": {
          "state": [
            "open"
          ]
        },
        "done": "{record} removed from public lists"
      },
      {
        "name": "reinstate",
        "permission": "admin.abuse.write",
        "body": "DecideAdminAbuseReport",
        "ask": "Allow {record} in public lists again",
        "confirm": "The team can list the app again.",
        "when": {
          "state": [
            "delisted"
          ]
        },
        "done": "{record} allowed in public lists again"
      }
    ]
  },
  "ai-upstreams": {
    "path": "/admin/ai-upstreams",
    "id_type": "integer",
    "schema": "AdminAiUpstream",
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
        "bulk": true,
        "done": "{record} checked"
      }
    ],
    "create": "CreateAdminAiUpstream",
    "update": "AdminAiUpstreamPatch",
    "hints": {
      "delete": {
        "effects": [
          "Its stored API key is removed. Requests it answered keep their records."
        ],
        "needs": [
          {
            "field": "model_count",
            "values": [
              0
            ],
            "text": "Models use it. Delete them or change their upstreams first."
          }
        ]
      }
    }
  },
  "ai-gateways": {
    "path": "/admin/ai-gateways",
    "id_type": "integer",
    "schema": "AdminAiGateway",
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
        "name": "tokens",
        "permission": "admin.ai_gateways.tokens",
        "reply": "AdminAiGatewayTokens",
        "ask": "Create tokens for {record}",
        "confirm": "A gateway that uses the earlier tokens is refused from now on."
      },
      {
        "name": "deploy",
        "permission": "admin.ai_gateways.tokens",
        "body": "DeployAdminAiGateway",
        "confirm": "The team pays for the CVM. Earlier tokens of this gateway stop working.",
        "when": {
          "cvm_id": [
            null
          ]
        },
        "done": "Deployment of {record} started"
      }
    ],
    "create": "CreateAdminAiGateway",
    "update": "AdminAiGatewayPatch",
    "hints": {
      "delete": {
        "effects": [
          "Its tokens stop working. Requests it reported keep their records."
        ],
        "needs": [
          {
            "field": "state",
            "values": [
              "disabled"
            ],
            "text": "It is active. Disable it first."
          }
        ]
      }
    }
  },
  "ai-models": {
    "path": "/admin/ai-models",
    "id_type": "integer",
    "schema": "AdminAiModel",
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
    "create": "CreateAdminAiModel",
    "update": "AdminAiModelPatch",
    "hints": {
      "delete": {
        "effects": [
          "Requests for it are refused. To keep its configuration, disable it instead."
        ]
      }
    }
  },
  "ai-keys": {
    "path": "/admin/ai-keys",
    "id_type": "integer",
    "schema": "AdminAiKey",
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
  "ai-usage": {
    "path": "/admin/ai-usage",
    "id_type": "integer",
    "schema": "AdminAiUsage",
    "operations": [
      "list",
      "show"
    ],
    "permissions": {
      "list": "admin.infra.read",
      "show": "admin.infra.read"
    },
    "actions": []
  }
};

export const adminSchemas: Readonly<Record<string, object>> = {
  "AbuseKind": {
    "type": "string",
    "enum": [
      "malware",
      "phishing",
      "illegal",
      "misleading",
      "other"
    ],
    "description": "What an app is reported for; `misleading`: it pretends to be something else."
  },
  "AdminAbuseReport": {
    "type": "object",
    "description": "A visitor's report about a published app.",
    "x-admin": {
      "about": "Visitors' reports about published apps. Kept for 1 year after they are dismissed or the app is reinstated.",
      "title_field": "app_name",
      "group": "content",
      "columns": [
        "app_name",
        "kind",
        "text",
        "state",
        "is_delisted",
        "team_id",
        "created_at"
      ],
      "filters": [
        "state",
        "kind",
        "team_id",
        "app_id"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      },
      "panels": [
        "abuse-reports/ReportLinks"
      ]
    },
    "required": [
      "id",
      "app_id",
      "app_name",
      "team_id",
      "kind",
      "text",
      "email",
      "state",
      "is_delisted",
      "decision",
      "reinstatement",
      "decided_by",
      "decided_at",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 9007199254740991,
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
        "maxLength": 200,
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
      "kind": {
        "$ref": "#/components/schemas/AbuseKind"
      },
      "text": {
        "type": "string",
        "maxLength": 4000,
        "readOnly": true
      },
      "email": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 254,
        "readOnly": true,
        "description": "Address for a reply."
      },
      "state": {
        "type": "string",
        "enum": [
          "open",
          "dismissed",
          "delisted",
          "reinstated"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "is_delisted": {
        "type": "boolean",
        "readOnly": true,
        "description": "Whether the app is kept out of public lists now."
      },
      "decision": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "readOnly": true,
        "description": "Why it was dismissed, or the app removed from public lists."
      },
      "reinstatement": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "readOnly": true,
        "description": "Why the app was allowed in public lists again."
      },
      "decided_by": {
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
      "decided_at": {
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
  "AdminAiGateway": {
    "type": "object",
    "description": "A gateway outside this server, such as one in a TEE. It asks this server who may use which model, and reports what was used.",
    "x-admin": {
      "about": "Gateways outside this server, such as in a TEE. They ask this server who may use which model, and report what was used.",
      "title_field": "name",
      "group": "ai",
      "columns": [
        "name",
        "url",
        "state",
        "cvm_status",
        "last_seen_at",
        "request_count"
      ],
      "filters": [
        "state"
      ],
      "sort": {
        "field": "name",
        "order": "ASC"
      },
      "panels": [
        "ai-gateways/Evidence"
      ]
    },
    "required": [
      "id",
      "name",
      "url",
      "image",
      "state",
      "token_hint",
      "tokens_issued_at",
      "last_seen_at",
      "request_count",
      "team_id",
      "cvm_id",
      "cvm_status",
      "compose",
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
        "description": "A disabled gateway is refused new requests. Those in progress are still recorded.",
        "x-admin": {
          "widget": "status"
        }
      },
      "token_hint": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "description": "First and last characters of its control token. Null before tokens are issued.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "tokens_issued_at": {
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
        "readOnly": true,
        "description": "When it last called this server, to the minute."
      },
      "request_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 9007199254740991,
        "readOnly": true,
        "description": "Requests it reported in the last 24 hours."
      },
      "team_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "The team that its CVM belongs to. Null if it was not deployed from here, like the next two.",
        "x-admin": {
          "reference": "workspaces",
          "label": "Team"
        }
      },
      "cvm_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 36,
        "readOnly": true,
        "description": "The CVM it runs in.",
        "x-admin": {
          "reference": "cvms",
          "label": "CVM"
        }
      },
      "cvm_status": {
        "type": [
          "string",
          "null"
        ],
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
          "error",
          "lost",
          null
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status",
          "label": "CVM status"
        }
      },
      "compose": {
        "type": "string",
        "maxLength": 10000,
        "readOnly": true,
        "description": "Compose file that runs it. To run it elsewhere, deploy it as an app with the two tokens as secrets.",
        "x-admin": {
          "widget": "code"
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
  "AdminAiKey": {
    "type": "object",
    "description": "A team's key for the AI gateway.",
    "x-admin": {
      "about": "Keys of teams for the AI gateway, with the cost of their requests. Teams create, limit and revoke them.",
      "title_field": "name",
      "group": "ai",
      "columns": [
        "name",
        "team_id",
        "purpose",
        "state",
        "cost",
        "budget",
        "last_used_at",
        "created_at"
      ],
      "filters": [
        "team_id",
        "purpose",
        "state"
      ],
      "sort": {
        "field": "id",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "team_id",
      "name",
      "purpose",
      "state",
      "hint",
      "models",
      "requests_per_minute",
      "tokens_per_minute",
      "budget",
      "budget_period",
      "cost",
      "created_by",
      "created_at",
      "last_used_at",
      "expires_at",
      "revoked_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true
      },
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces",
          "label": "Team"
        }
      },
      "name": {
        "type": "string",
        "maxLength": 100,
        "readOnly": true
      },
      "purpose": {
        "type": "string",
        "enum": [
          "program",
          "playground"
        ],
        "readOnly": true,
        "description": "What uses the key.",
        "x-admin": {
          "widget": "status"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "expired",
          "revoked"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "hint": {
        "type": "string",
        "maxLength": 40,
        "readOnly": true,
        "description": "First and last characters of the secret.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "models": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 100,
        "items": {
          "type": "string",
          "maxLength": 200
        },
        "readOnly": true,
        "description": "Models the key may use; null for all."
      },
      "requests_per_minute": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000000,
        "readOnly": true,
        "description": "Null for no limit."
      },
      "tokens_per_minute": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000000000,
        "readOnly": true,
        "description": "Null for no limit."
      },
      "budget": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 32,
        "readOnly": true,
        "description": "US dollars that its requests may cost per period; null for no limit.",
        "x-admin": {
          "widget": "money"
        }
      },
      "budget_period": {
        "type": "string",
        "enum": [
          "day",
          "week",
          "month"
        ],
        "readOnly": true
      },
      "cost": {
        "type": "string",
        "maxLength": 40,
        "readOnly": true,
        "description": "US dollars that its requests cost in the last 30 days, rounded down to the micro-dollar.",
        "x-admin": {
          "widget": "money"
        }
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
      "last_used_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "description": "Precise to the minute."
      },
      "expires_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "revoked_at": {
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
  "AdminAiModel": {
    "type": "object",
    "description": "A model of the AI gateway.",
    "x-admin": {
      "about": "Models of the AI gateway.",
      "title_field": "model",
      "group": "ai",
      "columns": [
        "name",
        "model",
        "team_id",
        "state",
        "context_length",
        "input_price",
        "output_price",
        "endpoints",
        "input_modalities"
      ],
      "filters": [
        "state"
      ],
      "sort": {
        "field": "model",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "model",
      "team_id",
      "name",
      "description",
      "context_length",
      "endpoints",
      "input_modalities",
      "output_modalities",
      "input_price",
      "cached_input_price",
      "output_price",
      "upstreams",
      "state",
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
      "team_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "The only team whose AI keys can use it. Null for all teams.",
        "x-admin": {
          "reference": "workspaces",
          "label": "Team"
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
  "AdminAiUpstream": {
    "type": "object",
    "description": "An OpenAI-compatible model server that the AI gateway forwards requests to.",
    "x-admin": {
      "about": "OpenAI-compatible model servers that the AI gateway forwards requests to.",
      "title_field": "name",
      "group": "ai",
      "columns": [
        "name",
        "url",
        "team_id",
        "state",
        "health",
        "evidence_required",
        "model_count",
        "max_concurrency",
        "checked_at"
      ],
      "filters": [
        "state",
        "health",
        "evidence_required"
      ],
      "sort": {
        "field": "name",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "name",
      "url",
      "team_id",
      "has_api_key",
      "state",
      "max_concurrency",
      "timeout_seconds",
      "evidence_required",
      "accepted_app_ids",
      "accepted_kms_keys",
      "health",
      "model_count",
      "checked_at",
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
      "team_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "The team that offers the model of this server to its own AI keys only. Null for a server of the platform.",
        "x-admin": {
          "reference": "workspaces",
          "label": "Team"
        }
      },
      "has_api_key": {
        "type": "boolean",
        "readOnly": true,
        "x-admin": {
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
          "widget": "status",
          "health": "health"
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
      },
      "health": {
        "type": "string",
        "enum": [
          "unchecked",
          "ok",
          "failing"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "model_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
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
  "AdminAiUsage": {
    "type": "object",
    "description": "A team's use of the AI gateway in the last 30 days.",
    "x-admin": {
      "about": "Teams that used the AI gateway in the last 30 days, with their usage.",
      "title_field": "id",
      "group": "ai",
      "columns": [
        "team_id",
        "requests",
        "input_tokens",
        "output_tokens",
        "cost",
        "key_count",
        "last_request_at"
      ],
      "filters": [
        "team_id"
      ],
      "sort": {
        "field": "cost",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "team_id",
      "key_count",
      "requests",
      "input_tokens",
      "output_tokens",
      "cost",
      "last_request_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "The team's ID."
      },
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces",
          "label": "Team"
        }
      },
      "key_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Keys that work, playground keys aside."
      },
      "requests": {
        "type": "integer",
        "minimum": 0,
        "maximum": 9007199254740991,
        "readOnly": true
      },
      "input_tokens": {
        "type": "integer",
        "minimum": 0,
        "maximum": 9007199254740991,
        "readOnly": true
      },
      "output_tokens": {
        "type": "integer",
        "minimum": 0,
        "maximum": 9007199254740991,
        "readOnly": true
      },
      "cost": {
        "type": "string",
        "maxLength": 40,
        "readOnly": true,
        "description": "US dollars, charged or not, rounded down to the micro-dollar.",
        "x-admin": {
          "widget": "money"
        }
      },
      "last_request_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminAlert": {
    "type": "object",
    "description": "Something that needs attention, sent to linked chats. Repeated alerts are counted in one row.",
    "x-admin": {
      "about": "What needs attention, sent to linked chats. Repeated alerts are counted in one row. Kept for 90 days after they are resolved.",
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
          "backup_old",
          "books_unbalanced",
          "strays_held",
          "cvms_lost",
          "vms_not_stopping",
          "chain_rpc",
          "usdc_not_current",
          "audit_export_late",
          "image_unconfirmed"
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
        "description": "Number of occurrences."
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
        "maxLength": 200,
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
    "description": "A message shown above every page of the console.",
    "x-admin": {
      "about": "Messages shown above every page of the console.",
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
      },
      "pages": [
        {
          "path": "affected-users",
          "label": "Affected users",
          "operation": "listAdminAnnouncementUsers",
          "component": "announcements/AffectedUsers"
        }
      ],
      "panels": [
        "announcements/Preview"
      ],
      "create_panel": "announcements/DraftPreview",
      "edit_panel": "announcements/DraftPreview"
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
          "widget": "formatted"
        },
        "description": "Plain text. Blank lines separate paragraphs and lines that start with - form a list. Supports **bold**, `code` and [links](https://…)."
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
        "maxLength": 200,
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
    "description": "An app of any team.",
    "x-admin": {
      "about": "Apps of all teams.",
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
      },
      "sorts": [
        "id",
        "public_id",
        "name",
        "team_id",
        "team_slug",
        "kms_id",
        "created_by",
        "created_at",
        "archived_at"
      ],
      "gone_at": "archived_at"
    },
    "required": [
      "id",
      "public_id",
      "name",
      "team_id",
      "team_slug",
      "team_name",
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
      "team_name": {
        "type": "string",
        "maxLength": 200,
        "readOnly": true,
        "x-admin": {
          "hidden": true
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
    "description": "An audit log entry of the platform or a team. Secrets are masked.",
    "x-admin": {
      "about": "Audit log of the platform and all teams. Secrets are masked.",
      "title_field": "action",
      "group": "system",
      "columns": [
        "action",
        "target",
        "team_id",
        "actor",
        "at"
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
      "sorts": [
        "id",
        "at",
        "action",
        "actor_kind",
        "actor_user_id",
        "actor",
        "team_id",
        "target_kind",
        "target_id",
        "request_id",
        "ip",
        "chain_state"
      ],
      "sort": {
        "field": "id",
        "order": "DESC"
      },
      "panels": [
        "audit/SameRequest"
      ]
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
      "target",
      "target_resource",
      "target_record_id",
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
        "readOnly": true,
        "x-admin": {
          "words": {
            "cli": "Command line",
            "token": "API token"
          }
        },
        "description": "`staff`: in the admin area, as staff in a team, or while viewing as a user."
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
          "reference": "users",
          "label": "Account"
        }
      },
      "actor": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200,
        "readOnly": true,
        "description": "Name at the time. Staff viewing as a user come first: root as alice. System for what the server does automatically."
      },
      "on_behalf_of": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 300,
        "readOnly": true,
        "x-admin": {
          "label": "Staff member"
        },
        "description": "Platform staff member who acted while viewing as the user."
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
        "description": "Team whose log it belongs to; empty for the platform."
      },
      "target": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200,
        "readOnly": true,
        "x-admin": {
          "record": {
            "resource": "target_resource",
            "id": "target_record_id"
          }
        },
        "description": "Name of what was changed, or its ID."
      },
      "target_resource": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "hidden": true
        },
        "description": "Admin resource of the target; null if it has none or no longer exists."
      },
      "target_record_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "hidden": true
        },
        "description": "ID of the target in that resource."
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
        "description": "Matches the response's X-Request-Id, the server's log lines and the events it caused."
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
        "description": "Position in its chain."
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
          "widget": "status",
          "words": {
            "intact": "Entry intact",
            "broken": "Entry broken"
          }
        },
        "description": "Whether this entry and its link to the previous one are intact; null in lists."
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
          "widget": "status",
          "label": "Whole chain"
        },
        "description": "Result of the last check of the entire chain."
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
  "AdminAuditDestination": {
    "type": "object",
    "description": "A log system that the audit log of the platform and of all teams is delivered to.",
    "x-admin": {
      "about": "Log systems that the audit log of the platform and of all teams is delivered to.",
      "title_field": "name",
      "group": "system",
      "columns": [
        "name",
        "kind",
        "address",
        "state",
        "health",
        "waiting",
        "delivered_at"
      ],
      "filters": [
        "state",
        "health",
        "kind"
      ],
      "sort": {
        "field": "name",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "name",
      "kind",
      "address",
      "has_secret",
      "ca_certificate",
      "client_certificate",
      "has_client_key",
      "state",
      "health",
      "delivered_id",
      "delivered_at",
      "waiting",
      "waiting_since",
      "failing_since",
      "next_attempt_at",
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
        "readOnly": true,
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
      "has_secret": {
        "type": "boolean",
        "readOnly": true,
        "x-admin": {
          "label": "Signing secret stored"
        }
      },
      "ca_certificate": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 65536,
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
      "has_client_key": {
        "type": "boolean",
        "readOnly": true,
        "x-admin": {
          "label": "Client key stored"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "paused"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "health": {
        "type": "string",
        "enum": [
          "waiting",
          "ok",
          "failing"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        },
        "description": "`waiting`: nothing was sent to it yet."
      },
      "delivered_id": {
        "type": "integer",
        "minimum": 0,
        "maximum": 9007199254740991,
        "readOnly": true,
        "description": "ID of the audit entry up to which all were delivered.",
        "x-admin": {
          "label": "Delivered up to entry"
        }
      },
      "delivered_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "description": "When the last entry was delivered."
      },
      "waiting": {
        "type": "integer",
        "minimum": 0,
        "maximum": 10000,
        "readOnly": true,
        "description": "Entries not delivered yet, counted up to 10,000."
      },
      "waiting_since": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "description": "Time of the oldest of them."
      },
      "failing_since": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "next_attempt_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "description": "When delivery is tried again after a failure."
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
  "AdminBulkJob": {
    "type": "object",
    "description": "An action that a worker applies to many rows, each as a separate request by the user who created the job.",
    "x-admin": {
      "about": "Actions that a worker applies to many rows, each as a separate request by the user who created the job. Kept for 90 days.",
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
      },
      "panels": [
        "bulk-jobs/JobRows"
      ]
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
        "readOnly": true,
        "x-admin": {
          "words": {
            "cvms": "CVMs",
            "gpus": "GPUs",
            "kms": "KMS",
            "nodes": "Nodes",
            "teepods": "Teepods",
            "invoices": "Invoices",
            "users": "Users",
            "workspaces": "Teams",
            "outbox": "Mail",
            "alerts": "Alerts",
            "queue-jobs": "Queue jobs",
            "kms-contracts": "KMS contracts",
            "ai-upstreams": "AI upstreams",
            "instance-types": "Instance types",
            "os-images": "OS images"
          }
        }
      },
      "action": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "description": "`edit`, `delete`, or an action of the resource.",
        "x-admin": {
          "words": {
            "edit": "Edit",
            "delete": "Delete",
            "start": "Start",
            "shutdown": "Shut down",
            "stop": "Stop",
            "restart": "Restart",
            "check": "Check",
            "read": "Refresh",
            "retry": "Retry",
            "cancel": "Cancel",
            "issue": "Issue",
            "reserve": "Reserve",
            "release": "Release",
            "acknowledge": "Acknowledge",
            "cordon": "Cordon",
            "uncordon": "Uncordon",
            "decide": "Decide"
          }
        }
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
          "widget": "status",
          "words": {
            "running": "Running"
          },
          "looks": {
            "running": "working"
          }
        },
        "description": "`finished` once every row has been processed, successfully or not."
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
        "description": "The body sent for each row."
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
        "description": "The filter that selected the rows; null if selected by ID."
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
    "description": "A device and whether the contract allows a KMS on it.",
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
    "description": "An OS image and whether the contract allows apps to boot it.",
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
  "AdminCredit": {
    "type": "object",
    "description": "Money granted to a team for its usage. Credits are used before prepaid money, starting with those that expire first.",
    "x-admin": {
      "about": "Money granted to teams for their usage. Credits are used before prepaid money, starting with those that expire first.",
      "title_field": "public_id",
      "group": "billing",
      "columns": [
        "amount",
        "team_id",
        "remaining",
        "source",
        "reason",
        "state",
        "expires_at"
      ],
      "filters": [
        "team_id",
        "source",
        "state"
      ],
      "sort": {
        "field": "id",
        "order": "DESC"
      },
      "sorts": [
        "id",
        "public_id",
        "team_id",
        "source",
        "reason",
        "state",
        "expires_at",
        "created_by",
        "created_at"
      ],
      "create_panel": "billing/FundsNotice"
    },
    "required": [
      "id",
      "public_id",
      "team_id",
      "source",
      "reason",
      "amount",
      "remaining",
      "state",
      "expires_at",
      "created_by",
      "created_at"
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
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "workspaces",
          "label": "Team"
        }
      },
      "source": {
        "type": "string",
        "enum": [
          "promotion",
          "support",
          "welcome"
        ],
        "readOnly": true
      },
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500,
        "description": "The team sees it."
      },
      "amount": {
        "type": "string",
        "maxLength": 32,
        "x-admin": {
          "widget": "money"
        }
      },
      "remaining": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "active",
          "used",
          "expired"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "expires_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40
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
      }
    }
  },
  "AdminCvm": {
    "type": "object",
    "description": "A confidential VM of any team, including deleted ones.",
    "x-admin": {
      "about": "Confidential VMs of all teams, including deleted ones.",
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
      },
      "sorts": [
        "id",
        "public_id",
        "name",
        "status",
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
        "created_by",
        "created_at",
        "updated_at",
        "started_at",
        "observed_at",
        "deleted_at",
        "deleted_by"
      ],
      "gone_at": "deleted_at"
    },
    "required": [
      "id",
      "public_id",
      "name",
      "status",
      "status_reason",
      "status_reason_keys",
      "desired",
      "team_id",
      "team_slug",
      "team_name",
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
      "deleted_at",
      "deleted_by"
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
          "error",
          "lost"
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
      "status_reason_keys": {
        "$ref": "#/components/schemas/TextKeys",
        "readOnly": true,
        "x-admin": {
          "hidden": true
        }
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
      "team_name": {
        "type": "string",
        "maxLength": 200,
        "readOnly": true,
        "x-admin": {
          "hidden": true
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
        "description": "Price per hour while running."
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
      },
      "deleted_by": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Null if it was deleted automatically.",
        "x-admin": {
          "reference": "users",
          "no_tab": true,
          "on_page": "if_set"
        }
      }
    }
  },
  "AdminDrain": {
    "type": "object",
    "description": "A teepod being drained.",
    "x-admin": {
      "about": "Teepods being drained.",
      "title_field": "title",
      "group": "infrastructure",
      "columns": [
        "title",
        "state",
        "stop_at",
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
      },
      "panels": [
        "fleet/DrainProgress"
      ]
    },
    "required": [
      "id",
      "title",
      "teepod_id",
      "state",
      "movable",
      "others",
      "stop_at",
      "reason",
      "message",
      "message_keys",
      "total_cvms",
      "waiting_cvms",
      "moved_cvms",
      "stopped_cvms",
      "already_stopped_cvms",
      "blocked_cvms",
      "cancelled_cvms",
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
      "title": {
        "type": "string",
        "maxLength": 120,
        "readOnly": true,
        "description": "Names the teepod."
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
          "widget": "status",
          "words": {
            "running": "Draining"
          },
          "looks": {
            "running": "draining"
          }
        }
      },
      "movable": {
        "type": "string",
        "enum": [
          "move",
          "stop"
        ],
        "readOnly": true,
        "x-admin": {
          "label": "Movable CVMs"
        }
      },
      "others": {
        "type": "string",
        "enum": [
          "stop",
          "leave"
        ],
        "readOnly": true,
        "x-admin": {
          "label": "Other CVMs"
        }
      },
      "stop_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "x-admin": {
          "label": "Stop time",
          "exact": true,
          "planned_until": "finished_at"
        },
        "description": "When the CVMs that are not moved are stopped."
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
        "description": "What is blocking it, or its result."
      },
      "message_keys": {
        "$ref": "#/components/schemas/TextKeys",
        "readOnly": true,
        "x-admin": {
          "hidden": true
        }
      },
      "total_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "on_page": "in_panel"
        }
      },
      "waiting_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "on_page": "in_panel"
        }
      },
      "moved_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "on_page": "in_panel"
        }
      },
      "stopped_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Stopped by the drain.",
        "x-admin": {
          "on_page": "in_panel"
        }
      },
      "already_stopped_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Already stopped when the drain reached them.",
        "x-admin": {
          "on_page": "in_panel"
        }
      },
      "blocked_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "on_page": "in_panel"
        }
      },
      "cancelled_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Left as they were when the drain was canceled.",
        "x-admin": {
          "label": "Canceled CVMs",
          "on_page": "in_panel"
        }
      },
      "requested_by": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200,
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
    "description": "One CVM on a draining teepod.",
    "x-admin": {
      "about": "CVMs on draining teepods.",
      "title_field": "name",
      "group": "infrastructure",
      "menu_parent": "drains",
      "columns": [
        "name",
        "stop_at",
        "team_id",
        "action",
        "state",
        "to_teepod",
        "message"
      ],
      "filters": [
        "drain_id",
        "state",
        "action",
        "team_id"
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
      "cvm_id",
      "app_id",
      "team_id",
      "team_slug",
      "action",
      "state",
      "stop_at",
      "message",
      "message_keys",
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
          "reference": "drains",
          "tab": "CVMs"
        }
      },
      "name": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true
      },
      "cvm_id": {
        "type": "string",
        "maxLength": 36,
        "readOnly": true,
        "x-admin": {
          "reference": "cvms",
          "no_tab": true
        }
      },
      "app_id": {
        "type": "string",
        "maxLength": 40,
        "readOnly": true,
        "x-admin": {
          "reference": "apps",
          "no_tab": true
        }
      },
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces",
          "no_tab": true
        }
      },
      "vm_uuid": {
        "type": "string",
        "maxLength": 36,
        "readOnly": true,
        "x-admin": {
          "hidden": true
        }
      },
      "team_slug": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "hidden": true
        }
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
      "stop_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "x-admin": {
          "label": "Stops",
          "exact": true
        },
        "description": "When it will be stopped. Null if it won't be."
      },
      "message": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "readOnly": true
      },
      "message_keys": {
        "$ref": "#/components/schemas/TextKeys",
        "readOnly": true,
        "x-admin": {
          "hidden": true
        }
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
  "AdminDuplicateVmRow": {
    "type": "object",
    "description": "A VM of a CVM that uses another VM. It may hold the data of that CVM and is never removed automatically.",
    "x-admin": {
      "about": "VMs of CVMs that use another VM. They may hold the data of their CVM and are never removed automatically.",
      "title_field": "host_vm_id",
      "group": "infrastructure",
      "menu_parent": "teepods",
      "columns": [
        "cvm_id",
        "teepod_id",
        "host_vm_id",
        "cvm_status",
        "status",
        "disk_gb",
        "uptime",
        "given_up_at",
        "last_seen_at"
      ],
      "filters": [
        "teepod_id",
        "cvm_id",
        "team_id",
        "status"
      ],
      "sort": {
        "field": "first_seen_at",
        "order": "DESC"
      }
    },
    "required": [
      "id",
      "host_vm_id",
      "teepod_id",
      "cvm_id",
      "cvm_status",
      "team_id",
      "status",
      "uptime",
      "vcpu",
      "memory_mb",
      "disk_gb",
      "given_up_at",
      "first_event_at",
      "first_seen_at",
      "last_seen_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 9007199254740991,
        "readOnly": true
      },
      "host_vm_id": {
        "type": "string",
        "maxLength": 200,
        "readOnly": true,
        "description": "ID assigned by the host.",
        "x-admin": {
          "widget": "mono"
        }
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
      "cvm_id": {
        "type": "string",
        "maxLength": 36,
        "readOnly": true,
        "x-admin": {
          "reference": "cvms"
        }
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
      "status": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "description": "State that the host reports.",
        "x-admin": {
          "widget": "status"
        }
      },
      "cvm_status": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "description": "State of the CVM.",
        "x-admin": {
          "widget": "status"
        }
      },
      "uptime": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "description": "As the host reports it."
      },
      "vcpu": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "memory_mb": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "disk_gb": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
      },
      "given_up_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "description": "When the CVM gave this VM up; null if it never did."
      },
      "first_event_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "description": "Oldest event that the host reports."
      },
      "first_seen_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "last_seen_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      }
    }
  },
  "AdminFinanceAction": {
    "type": "object",
    "description": "A finance action that staff took or requested for a team. Recorded while this installation has an approval limit.",
    "x-admin": {
      "about": "Actions on teams' money that staff took or requested. Recorded while this installation has an approval limit.",
      "title_field": "title",
      "group": "billing",
      "columns": [
        "title",
        "team_id",
        "amount",
        "reason",
        "state",
        "requested_by",
        "created_at"
      ],
      "filters": [
        "state",
        "team_id",
        "action",
        "requested_by"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      },
      "sorts": [
        "id",
        "team_id",
        "action",
        "reason",
        "state",
        "requested_by",
        "expires_at",
        "decided_by",
        "decided_at",
        "created_at",
        "updated_at"
      ],
      "panels": [
        "billing/FinanceRequest"
      ]
    },
    "required": [
      "id",
      "title",
      "action",
      "team_id",
      "target",
      "target_id",
      "amount",
      "moved_before",
      "reason",
      "request",
      "state",
      "requested_by",
      "is_own",
      "expires_at",
      "decided_by",
      "decided_at",
      "decision",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 9007199254740991,
        "readOnly": true
      },
      "title": {
        "type": "string",
        "maxLength": 300,
        "readOnly": true,
        "description": "The action, its target and its amount: “Confirm transfer TH-LUGDP7K8, $500.00”."
      },
      "action": {
        "type": "string",
        "readOnly": true,
        "enum": [
          "grant_credit",
          "revoke_credit",
          "confirm_payment",
          "refund_payment",
          "reverse_payment",
          "void_invoice",
          "write_off_invoice",
          "credit_invoice",
          "cancel_order",
          "refund_order",
          "create_promotion_code",
          "widen_promotion_code",
          "create_order_product",
          "discount_order_product",
          "raise_post_paid_cap",
          "raise_rate",
          "adjust_balance"
        ],
        "description": "What was requested."
      },
      "team_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Null for promotion codes, products and rates.",
        "x-admin": {
          "reference": "workspaces",
          "label": "Team"
        }
      },
      "target": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "description": "The credit, payment, invoice, order, promotion code, product or instance type; for a new credit, a cap or an adjustment, the team.",
        "x-admin": {
          "hidden": true
        }
      },
      "target_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "description": "ID that the target has in the admin lists; null for what the action creates, and for an adjustment.",
        "x-admin": {
          "hidden": true
        }
      },
      "amount": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "description": "US dollars it moves, negative for an adjustment that takes them from the balance; for codes, products and rates, the most they can give away.",
        "x-admin": {
          "widget": "money"
        }
      },
      "moved_before": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 32,
        "readOnly": true,
        "description": "US dollars that the requester had moved without an approval in the 24 hours before, for this team and with what any team can use. They count toward the limit together with the amount. Null in lists.",
        "x-admin": {
          "widget": "money",
          "label": "Moved in the 24 hours before"
        }
      },
      "reason": {
        "type": "string",
        "maxLength": 500,
        "readOnly": true
      },
      "request": {
        "type": "string",
        "maxLength": 20000,
        "readOnly": true,
        "description": "Body of the request, as JSON.",
        "x-admin": {
          "hidden": true
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "pending",
          "done",
          "rejected",
          "expired",
          "failed"
        ],
        "readOnly": true,
        "description": "`failed`: approved, or within the limit, and then refused by Stripe or sent back by the bank.",
        "x-admin": {
          "widget": "status"
        }
      },
      "requested_by": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "users"
        }
      },
      "is_own": {
        "type": "boolean",
        "readOnly": true,
        "description": "Whether you requested it, so that another administrator must approve it.",
        "x-admin": {
          "hidden": true
        }
      },
      "expires_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "description": "A pending request can be approved until then."
      },
      "decided_by": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Who approved or rejected it; null if no approval was needed.",
        "x-admin": {
          "reference": "users"
        }
      },
      "decided_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "decision": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "readOnly": true,
        "description": "Why it was rejected."
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
  "AdminGateway": {
    "type": "object",
    "description": "A dstack-gateway, which routes visitors to CVMs.",
    "x-admin": {
      "about": "dstack-gateways, which route visitors to CVMs.",
      "title_field": "base_domain",
      "group": "infrastructure",
      "columns": [
        "base_domain",
        "url",
        "has_credential",
        "teepod_count"
      ],
      "filters": [
        "has_credential",
        "base_domain"
      ],
      "sort": {
        "field": "base_domain",
        "order": "ASC"
      },
      "panels": [
        "gateways/GatewayStatus"
      ]
    },
    "required": [
      "id",
      "base_domain",
      "url",
      "has_credential",
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
      "has_credential": {
        "type": "boolean",
        "readOnly": true,
        "x-admin": {
          "label": "Token stored"
        }
      },
      "teepod_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Teepods whose CVMs it serves."
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
  "AdminGpu": {
    "type": "object",
    "description": "A host's GPU and its assignment.",
    "x-admin": {
      "about": "GPUs of hosts and their assignments.",
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
      },
      "pages": [
        {
          "path": "allocation",
          "label": "Allocation",
          "operation": "getAdminGpu",
          "component": "gpus/Allocation"
        }
      ]
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
        "description": "Model reported by the host, for example H200 NVL."
      },
      "state": {
        "type": "string",
        "enum": [
          "free",
          "reserved",
          "attached",
          "faulty"
        ],
        "description": "`reserved` for a team, or for a deployment that isn't committed yet.",
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
        "description": "The team that uses it or has it reserved.",
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces"
        }
      },
      "reserved": {
        "type": "boolean",
        "description": "Reserved for its team even while no CVM uses it.",
        "readOnly": true
      },
      "attached": {
        "type": "boolean",
        "description": "Whether a CVM uses it.",
        "readOnly": true
      },
      "cvm_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 36,
        "description": "The CVM that uses it.",
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
        "description": "An uncommitted deployment holds it until then.",
        "readOnly": true
      },
      "fault": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "description": "Why it is out of service.",
        "readOnly": true
      },
      "reported": {
        "type": "boolean",
        "description": "Whether the host reports it.",
        "readOnly": true
      },
      "used_elsewhere": {
        "type": "boolean",
        "description": "Whether the host assigned it to a VM not managed here, so it can't be used.",
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
    "description": "A GPU event.",
    "x-admin": {
      "about": "GPU events. Kept for 1 year.",
      "title_field": "id",
      "group": "infrastructure",
      "menu_parent": "gpus",
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
        "description": "The actor; null for automatic events.",
        "readOnly": true,
        "x-admin": {
          "reference": "users"
        }
      }
    }
  },
  "AdminInstanceEvent": {
    "type": "object",
    "description": "An event of an app or CVM, as its team sees it.",
    "x-admin": {
      "about": "Events of apps and CVMs, as their teams see them. The steps of an operation are on the pages of its events.",
      "title_field": "message",
      "group": "compute",
      "columns": [
        "message",
        "cvm_id",
        "team_id",
        "severity",
        "created_at",
        "kind",
        "actor_id"
      ],
      "filters": [
        "kind",
        "severity",
        "team_id",
        "cvm_id",
        "app_id",
        "is_step",
        "is_app_fault",
        "correlation_id",
        "request_id",
        "actor_id",
        "created_at"
      ],
      "panels": [
        "activity/OperationEvents"
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
      "is_step",
      "is_app_fault",
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
          "spoken": true
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
        "readOnly": true,
        "x-admin": {
          "hidden": true
        }
      },
      "app_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 40,
        "readOnly": true,
        "x-admin": {
          "reference": "apps"
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
        "readOnly": true,
        "x-admin": {
          "hidden": true
        }
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
        "description": "correlation_id of its operation."
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
        "description": "ID of the request that caused it, as in the audit log and server log; empty for automatic events."
      },
      "operation_type": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 16,
        "readOnly": true,
        "x-admin": {
          "spoken": true
        }
      },
      "is_step": {
        "type": "boolean",
        "readOnly": true,
        "x-admin": {
          "label": "Step of an operation"
        },
        "description": "Whether it reports a step of an operation, or the request for an operation that has ended and has its own event."
      },
      "is_app_fault": {
        "type": "boolean",
        "readOnly": true,
        "x-admin": {
          "label": "Caused by the app",
          "on_page": "if_set"
        },
        "description": "Whether it reports an operation that failed because of the app or its contract, which its team must change."
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
        "maxLength": 200,
        "readOnly": true,
        "x-admin": {
          "hidden": true
        },
        "description": "The user who requested it."
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
    "description": "An instance type with its price, as stored in the catalog.",
    "x-admin": {
      "about": "Instance types and their prices.",
      "title_field": "id",
      "group": "catalog",
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
      "gpu_hourly_rate",
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
        "description": "For example tdx.small. Can't be changed later.",
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
  "AdminInvoice": {
    "type": "object",
    "description": "A draft, invoice or credit note.",
    "x-admin": {
      "about": "Drafts, invoices and credit notes.",
      "title_field": "number",
      "group": "billing",
      "columns": [
        "number",
        "team_id",
        "kind",
        "month",
        "total",
        "state",
        "issued_at",
        "due_at"
      ],
      "filters": [
        "team_id",
        "kind",
        "state"
      ],
      "sort": {
        "field": "id",
        "order": "DESC"
      },
      "sorts": [
        "id",
        "public_id",
        "team_id",
        "kind",
        "state",
        "tax_rule",
        "corrects",
        "created_at",
        "issued_at",
        "due_at",
        "paid_at",
        "updated_at"
      ],
      "panels": [
        "billing/InvoiceLines"
      ]
    },
    "required": [
      "id",
      "public_id",
      "team_id",
      "kind",
      "state",
      "number",
      "month",
      "subtotal",
      "tax_rule",
      "tax_percent",
      "tax",
      "total",
      "corrects",
      "reason",
      "created_at",
      "issued_at",
      "due_at",
      "paid_at",
      "pdf_sha256",
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
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces",
          "label": "Team"
        }
      },
      "kind": {
        "type": "string",
        "enum": [
          "invoice",
          "credit_note"
        ],
        "readOnly": true
      },
      "state": {
        "type": "string",
        "enum": [
          "draft",
          "open",
          "paid",
          "overdue",
          "uncollectible",
          "void"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        }
      },
      "number": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        },
        "description": "The ID until it is issued."
      },
      "month": {
        "type": "string",
        "maxLength": 7,
        "readOnly": true,
        "x-admin": {
          "widget": "month"
        },
        "description": "UTC, such as 2026-11."
      },
      "subtotal": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        }
      },
      "tax_rule": {
        "type": "string",
        "enum": [
          "none",
          "fixed",
          "reverse_charge"
        ],
        "readOnly": true
      },
      "tax_percent": {
        "type": "number",
        "minimum": 0,
        "maximum": 100,
        "readOnly": true
      },
      "tax": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        }
      },
      "total": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        }
      },
      "corrects": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "The invoice that a credit note corrects.",
        "x-admin": {
          "reference": "invoices",
          "tab": "Credit notes"
        }
      },
      "reason": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "readOnly": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "issued_at": {
        "type": [
          "string",
          "null"
        ],
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
      "paid_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "pdf_sha256": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono",
          "label": "SHA-256 of the PDF"
        },
        "description": "Null until the PDF is rendered, about a minute after the invoice was issued or when it is first downloaded."
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
    "description": "A key management service, which provides apps with their keys.",
    "x-admin": {
      "about": "Key management services, which provide apps with their keys.",
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
      },
      "pages": [
        {
          "path": "relationships",
          "label": "Relationships",
          "operation": "getAdminKms",
          "component": "kms/Relationships"
        }
      ]
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
      "next_k256_pubkey",
      "presents",
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
      "attestation_requests",
      "attestation_failures",
      "metrics_at",
      "metrics_error",
      "tcb_statuses",
      "advisory_ids",
      "aggregated_mrs",
      "webhook_token",
      "webhook_asked_at",
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
      "local": {
        "type": "boolean",
        "description": "Built in to the local teepod; no hardware protects its keys.",
        "readOnly": true
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
        "description": "`retiring` accepts no new apps; `retired` has none left."
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
        "description": "`alarm`: its keys differ from the pinned ones, so it isn't trusted. `unpinned`: it responds, and no key is pinned.",
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
      "presents": {
        "anyOf": [
          {
            "type": "string",
            "enum": [
              "current",
              "next",
              "other"
            ]
          },
          {
            "type": "null"
          }
        ],
        "description": "Which pinned root key it last presented; `other` if neither. Null while that is unknown.",
        "readOnly": true,
        "x-admin": {
          "label": "Presented root key",
          "widget": "status",
          "looks": {
            "current": "ok",
            "next": "ok",
            "other": "alarm"
          }
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
        "description": "k256 key it last presented.",
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
        "description": "CA key it last reported.",
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
        "maxLength": 200,
        "x-admin": {
          "widget": "mono"
        }
      },
      "teepod_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Teepods whose CVMs can get their keys from it, including those that offer it in addition to their own KMS."
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
      "attestation_requests": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 9007199254740991,
        "description": "Attestations it was asked to verify since it started.",
        "readOnly": true
      },
      "attestation_failures": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 9007199254740991,
        "description": "Attestations it refused since it started.",
        "readOnly": true
      },
      "metrics_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "description": "When these counters were read. The built-in KMS has none.",
        "readOnly": true,
        "x-admin": {
          "label": "Counters read"
        }
      },
      "metrics_error": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "description": "Why the last reading failed, so that the counters are older.",
        "readOnly": true,
        "x-admin": {
          "label": "Counters error"
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
      },
      "webhook_token": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 40,
        "description": "Start and end of the token in its webhook URL; null without one.",
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "webhook_asked_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "description": "When it last asked this server, to the minute.",
        "readOnly": true,
        "x-admin": {
          "label": "Last asked"
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
  "AdminKmsContract": {
    "type": "object",
    "description": "The contract governing a key management service, as read from its chain.",
    "x-admin": {
      "about": "Contracts governing key management services, as read from their chains.",
      "title_field": "label",
      "group": "infrastructure",
      "menu_parent": "kms",
      "columns": [
        "label",
        "chain",
        "address",
        "kms_id",
        "health",
        "state",
        "read_at"
      ],
      "panels": [
        "kms/ContractApps",
        "kms/ContractActions"
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
      },
      "sorts": [
        "id",
        "label",
        "chain",
        "address",
        "kms_id",
        "state",
        "health",
        "read_at",
        "block_number",
        "block_at",
        "attempted_at",
        "last_error",
        "created_at",
        "updated_at"
      ]
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
        "description": "A retired contract is no longer read."
      },
      "health": {
        "type": "string",
        "enum": [
          "unread",
          "ok",
          "alarm",
          "unreachable"
        ],
        "description": "`alarm`: the chain's state differs from what is expected. `unreachable`: the data shown dates from read_at.",
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
        "description": "Whether there is a contract at this address.",
        "readOnly": true
      },
      "owner": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 42,
        "description": "Account that can change it.",
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
        "description": "Account that its ownership was offered to.",
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
        "description": "Implementation used for new app contracts.",
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
        "description": "The gateway that apps can trust; `any` disables the check.",
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
        "description": "The KMS's root key in the contract.",
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
        "description": "The KMS's CA key in the contract.",
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
        "description": "Whether these match the keys pinned for its KMS; null if either is unknown.",
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
        "description": "OS images of CVMs that get keys.",
        "readOnly": true
      },
      "devices": {
        "type": "array",
        "maxItems": 500,
        "items": {
          "$ref": "#/components/schemas/AdminContractDevice"
        },
        "description": "Machines that can run an instance of the KMS itself. Apps list their own.",
        "readOnly": true
      },
      "aggregated_mrs": {
        "type": "array",
        "maxItems": 500,
        "items": {
          "type": "string",
          "maxLength": 66
        },
        "description": "Allowed KMS instance measurements.",
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
        "description": "Whether the lists are complete. If false, it may allow more: not all of its events could be read lately, or they add too many values.",
        "readOnly": true,
        "x-admin": {
          "label": "Lists complete"
        }
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
        "description": "Block it was read at.",
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
    "description": "A period of maintenance on a node. Nothing new is placed there; existing CVMs keep running.",
    "x-admin": {
      "about": "Periods of maintenance on nodes. Nothing new is placed there; existing CVMs keep running.",
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
        "maxLength": 40,
        "x-admin": {
          "exact": true
        }
      },
      "ends_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "x-admin": {
          "exact": true
        }
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
        "maxLength": 500,
        "description": "Shown to the affected teams."
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
    "description": "A team membership.",
    "x-admin": {
      "about": "Team memberships.",
      "title_field": "username",
      "group": "teams",
      "menu_parent": "workspaces",
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
          "reference": "users",
          "tab": "Memberships"
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
        "description": "Their default team after sign-in."
      },
      "sso": {
        "type": "boolean",
        "readOnly": true,
        "description": "Membership and role are managed by single sign-on."
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
    "description": "An error envelope sent by a browser, and where it was forwarded.",
    "x-admin": {
      "about": "Error envelopes sent by browsers, and where they were forwarded. Kept for 30 days.",
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
        "description": "`kept`: no error-reporting service is configured. `failed`: the service didn't accept it, so it is stored here."
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
        "description": "Empty if it was forwarded to the service."
      }
    }
  },
  "AdminNode": {
    "type": "object",
    "description": "A physical machine that runs teepods.",
    "x-admin": {
      "about": "Physical machines that run teepods.",
      "title_field": "name",
      "group": "infrastructure",
      "columns": [
        "name",
        "state",
        "region",
        "teepod_count",
        "used_cvms",
        "used_vcpu",
        "used_memory_mb",
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
      "used_cvms",
      "max_cvms",
      "used_vcpu",
      "max_vcpu",
      "used_memory_mb",
      "max_memory_mb",
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
        "maxLength": 64,
        "description": "Location of the machine."
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
      "used_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Sum of its teepods, as in the next five fields."
      },
      "max_cvms": {
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
      "max_vcpu": {
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
      "max_memory_mb": {
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
  "AdminOrder": {
    "type": "object",
    "description": "Capacity that a team reserved for a term.",
    "x-admin": {
      "about": "Capacity that teams reserved for a term.",
      "title_field": "name",
      "group": "billing",
      "columns": [
        "name",
        "team_id",
        "state",
        "total",
        "refunded",
        "starts_at",
        "ends_at",
        "renews"
      ],
      "filters": [
        "team_id",
        "product_id",
        "state",
        "instance_type"
      ],
      "sort": {
        "field": "id",
        "order": "DESC"
      },
      "sorts": [
        "id",
        "public_id",
        "team_id",
        "product_id",
        "name",
        "instance_type",
        "covers",
        "state",
        "period",
        "periods",
        "starts_at",
        "ends_at",
        "pay_until",
        "payment_id",
        "renews",
        "cvm_id",
        "created_by",
        "created_at",
        "closed_at",
        "updated_at"
      ]
    },
    "required": [
      "id",
      "public_id",
      "team_id",
      "product_id",
      "name",
      "instance_type",
      "covers",
      "state",
      "period",
      "price",
      "periods",
      "total",
      "min_periods",
      "refund_percent",
      "starts_at",
      "ends_at",
      "pay_until",
      "payment_id",
      "renews",
      "charged",
      "refunded",
      "refund_by_rules",
      "cvm_id",
      "reason",
      "created_by",
      "created_at",
      "closed_at",
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
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces",
          "label": "Team"
        }
      },
      "product_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "order-products",
          "label": "Product"
        }
      },
      "name": {
        "type": "string",
        "maxLength": 100,
        "readOnly": true
      },
      "instance_type": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
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
        "readOnly": true
      },
      "state": {
        "type": "string",
        "enum": [
          "pending",
          "paid",
          "active",
          "ended",
          "cancelled",
          "refunded"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status",
          "words": {
            "pending": "Waiting for payment",
            "paid": "Starts later"
          }
        }
      },
      "period": {
        "type": "string",
        "enum": [
          "day",
          "month"
        ],
        "readOnly": true
      },
      "price": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        },
        "description": "US dollars per period."
      },
      "periods": {
        "type": "integer",
        "minimum": 1,
        "maximum": 366,
        "readOnly": true
      },
      "total": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        },
        "description": "Of one term."
      },
      "min_periods": {
        "type": "integer",
        "minimum": 1,
        "maximum": 366,
        "readOnly": true,
        "description": "Not refunded once a term has begun.",
        "x-admin": {
          "label": "Shortest term, in periods"
        }
      },
      "refund_percent": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100,
        "readOnly": true,
        "description": "Of the whole hours after that.",
        "x-admin": {
          "label": "Refund in percent"
        }
      },
      "starts_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "ends_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "pay_until": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "x-admin": {
          "label": "Pay by"
        }
      },
      "payment_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "payments",
          "label": "Payment"
        }
      },
      "renews": {
        "type": "boolean",
        "readOnly": true
      },
      "charged": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        }
      },
      "refunded": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        }
      },
      "refund_by_rules": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money",
          "label": "Refund if canceled now"
        },
        "description": "Refund that its rules define for canceling it now."
      },
      "cvm_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 36,
        "readOnly": true,
        "x-admin": {
          "reference": "cvms",
          "label": "CVM"
        },
        "description": "The CVM it covers now."
      },
      "reason": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "readOnly": true,
        "description": "Why it was canceled."
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
      "closed_at": {
        "type": [
          "string",
          "null"
        ],
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
  "AdminOrderProduct": {
    "type": "object",
    "description": "Capacity that teams can reserve for a term.",
    "x-admin": {
      "title_field": "name",
      "group": "billing",
      "columns": [
        "name",
        "instance_type",
        "covers",
        "price",
        "period",
        "stock",
        "taken",
        "state"
      ],
      "filters": [
        "state",
        "instance_type",
        "covers"
      ],
      "sort": {
        "field": "id",
        "order": "DESC"
      },
      "sorts": [
        "id",
        "public_id",
        "name",
        "instance_type",
        "covers",
        "period",
        "min_periods",
        "max_periods",
        "refund_percent",
        "stock",
        "taken",
        "starts_at",
        "ends_at",
        "state",
        "version",
        "created_by",
        "created_at",
        "updated_at"
      ],
      "create_panel": "billing/ProductApprovalNotice",
      "edit_panel": "billing/ProductEditApprovalNotice"
    },
    "required": [
      "id",
      "public_id",
      "name",
      "description",
      "instance_type",
      "covers",
      "period",
      "price",
      "min_periods",
      "max_periods",
      "refund_percent",
      "stock",
      "taken",
      "starts_at",
      "ends_at",
      "state",
      "compared_rate",
      "version",
      "rules",
      "created_by",
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
      "instance_type": {
        "type": "string",
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
      "taken": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000,
        "readOnly": true,
        "description": "Orders that exist now."
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
      },
      "compared_rate": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money",
          "label": "Metered hourly price"
        },
        "description": "US dollars per hour that the covered resources cost when its price was last compared with the metered price."
      },
      "version": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Of price and rules."
      },
      "rules": {
        "type": "array",
        "maxItems": 10,
        "readOnly": true,
        "items": {
          "type": "string",
          "maxLength": 500
        },
        "description": "Text shown to buyers."
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
      }
    }
  },
  "AdminOsImage": {
    "type": "object",
    "description": "An operating system image for booting CVMs. Attestation proves its digest.",
    "x-admin": {
      "about": "Operating system images for booting CVMs. Attestation proves their digests.",
      "title_field": "name",
      "group": "infrastructure",
      "columns": [
        "name",
        "version",
        "state",
        "is_dev",
        "os_image_hash",
        "os_image_hash_source",
        "teepod_count",
        "cvm_count"
      ],
      "filters": [
        "state",
        "os_image_hash_source",
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
      "os_image_hash_source",
      "reported_hash",
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
        "maxLength": 66,
        "minLength": 64,
        "pattern": "^(0x)?[0-9a-fA-F]{64}$",
        "description": "SHA-256 of the image. Learned from the first evidence that proves it, unless you enter the hash of your own build. Evidence of any other image then counts as unknown.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "os_image_hash_source": {
        "anyOf": [
          {
            "type": "string",
            "enum": [
              "host",
              "evidence",
              "administrator"
            ]
          },
          {
            "type": "null"
          }
        ],
        "readOnly": true,
        "description": "Where the hash comes from: hosts, verified evidence of a CVM, or an administrator."
      },
      "reported_hash": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 66,
        "readOnly": true,
        "description": "Hash reported by hosts other than the built-in one, and not confirmed. CVMs aren't verified by it, and a KMS without a contract that asks this server gives them no keys. If it equals the hash of your own build, enter it as the hash.",
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
        "description": "New CVMs prefer a recommended image. A retired image isn't used for new CVMs; existing ones keep it.",
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
        "readOnly": true,
        "x-admin": {
          "items_of": "teepods"
        }
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
    "description": "An email sent by this server. Its text contains single-use links and is stored only until it is sent.",
    "x-admin": {
      "about": "Mails sent by this server. Their text contains single-use links and is stored only until they are sent. Kept for 30 days.",
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
      "team_id",
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
        "description": "`kept`: no mail server is configured, so it stays here to be read."
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
      "team_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces",
          "no_tab": true
        }
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
        "description": "Null in lists and after sending."
      }
    }
  },
  "AdminPayment": {
    "type": "object",
    "description": "A payment to a team's prepaid balance.",
    "x-admin": {
      "about": "Payments to teams' prepaid balances.",
      "title_field": "reference",
      "group": "billing",
      "columns": [
        "reference",
        "team_id",
        "driver",
        "state",
        "amount",
        "received",
        "created_at"
      ],
      "filters": [
        "team_id",
        "driver",
        "state",
        "reference"
      ],
      "sort": {
        "field": "id",
        "order": "DESC"
      },
      "sorts": [
        "id",
        "public_id",
        "team_id",
        "driver",
        "state",
        "reference",
        "created_by",
        "created_at",
        "updated_at"
      ]
    },
    "required": [
      "id",
      "public_id",
      "team_id",
      "driver",
      "state",
      "amount",
      "received",
      "returned",
      "reference",
      "receipts",
      "reason",
      "created_by",
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
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces",
          "label": "Team"
        }
      },
      "driver": {
        "type": "string",
        "enum": [
          "manual",
          "stripe",
          "usdc"
        ],
        "readOnly": true,
        "x-admin": {
          "label": "Paid by"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "pending",
          "unfinished",
          "declined",
          "part_paid",
          "paid",
          "cancelled",
          "rejected",
          "reversed"
        ],
        "readOnly": true,
        "description": "`unfinished`, `declined`: a card payment that its payer can still make.",
        "x-admin": {
          "widget": "status",
          "words": {
            "pending": "Waiting",
            "declined": "Not paid",
            "paid": "Received"
          }
        }
      },
      "amount": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        }
      },
      "received": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        }
      },
      "returned": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        },
        "description": "Refunded or disputed of what was received."
      },
      "reference": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        },
        "description": "What the payer writes on the transfer."
      },
      "receipts": {
        "type": "array",
        "maxItems": 100,
        "readOnly": true,
        "items": {
          "$ref": "#/components/schemas/PaymentReceipt"
        }
      },
      "reason": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "readOnly": true,
        "description": "Why it was rejected or canceled, or why its card was declined."
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
      }
    }
  },
  "AdminPromotionCode": {
    "type": "object",
    "description": "A code that teams redeem for credit: an amount, or a percentage of their next payment.",
    "x-admin": {
      "about": "Codes that teams redeem for credit: an amount, or a percentage of their next payment.",
      "title_field": "code",
      "group": "billing",
      "columns": [
        "code",
        "amount",
        "percent",
        "uses",
        "max_uses",
        "starts_at",
        "ends_at",
        "state"
      ],
      "filters": [
        "code",
        "welcome",
        "state"
      ],
      "sort": {
        "field": "id",
        "order": "DESC"
      },
      "sorts": [
        "id",
        "code",
        "description",
        "percent",
        "uses",
        "max_uses",
        "max_uses_per_team",
        "new_teams_days",
        "starts_at",
        "ends_at",
        "credit_days",
        "welcome",
        "state",
        "created_by",
        "created_at",
        "updated_at"
      ],
      "create_panel": "billing/CodeApprovalNotice",
      "edit_panel": "billing/CodeEditApprovalNotice"
    },
    "required": [
      "id",
      "code",
      "description",
      "amount",
      "percent",
      "cap",
      "uses",
      "max_uses",
      "max_uses_per_team",
      "new_teams_days",
      "starts_at",
      "ends_at",
      "credit_days",
      "welcome",
      "minimum",
      "state",
      "created_by",
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
      "code": {
        "type": "string",
        "maxLength": 40,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        }
      },
      "description": {
        "type": "string",
        "maxLength": 500,
        "description": "The reason that teams see beside the credit."
      },
      "amount": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 32,
        "readOnly": true,
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
        "readOnly": true
      },
      "cap": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "label": "Maximum credit",
          "widget": "money"
        },
        "description": "The maximum that a percentage adds."
      },
      "uses": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "label": "Redeemed"
        }
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
      "welcome": {
        "type": "boolean",
        "readOnly": true,
        "x-admin": {
          "label": "Welcome credit"
        },
        "description": "Redeemed with a team's first payment."
      },
      "minimum": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "label": "Minimum first payment",
          "widget": "money"
        },
        "description": "The minimum payment that earns a welcome credit."
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
      }
    }
  },
  "AdminQueue": {
    "type": "object",
    "description": "A queue of background work.",
    "x-admin": {
      "about": "Queues of background work.",
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
          "waiting",
          "working",
          "late",
          "failing"
        ],
        "readOnly": true,
        "x-admin": {
          "widget": "status"
        },
        "description": "`waiting`: items wait and none is running. `late`: an item has been due for more than five minutes. `failing`: an item failed within the last hour, other than for a reason of its team's, such as an app that doesn't boot or a webhook's receiver."
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
        "description": "Within the last seven days."
      },
      "oldest_due_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "description": "When the longest-waiting item became due."
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
    "description": "An item that is waiting, running, or failed within the last seven days.",
    "x-admin": {
      "about": "Items that are waiting, running, or failed within the last seven days.",
      "title_field": "name",
      "group": "system",
      "menu_parent": "queue-workers",
      "columns": [
        "name",
        "team_id",
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
        "team_id",
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
      "team_id",
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
          "widget": "status",
          "words": {
            "running": "Running"
          },
          "looks": {
            "running": "working"
          }
        }
      },
      "attempts": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true
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
          "reference": "workspaces",
          "no_tab": true
        }
      },
      "workspace": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "label": "Team slug"
        }
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
        "description": "JSON with secrets and sealed values masked. Empty in lists."
      }
    }
  },
  "AdminSchedule": {
    "type": "object",
    "description": "Work that runs periodically.",
    "x-admin": {
      "title_field": "name",
      "group": "system",
      "menu_parent": "queue-workers",
      "columns": [
        "name",
        "every_seconds",
        "last_run_at",
        "next_run_at",
        "duration_ms",
        "runs",
        "failures",
        "cut_short"
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
      "last_error",
      "cut_short",
      "last_cut_at",
      "left_over"
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
        "readOnly": true,
        "description": "Null if unknown: runs are recorded every few seconds, and work may run more often."
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
      },
      "cut_short": {
        "type": "integer",
        "minimum": 0,
        "maximum": 9007199254740991,
        "readOnly": true,
        "description": "Runs that ended at a limit."
      },
      "last_cut_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "left_over": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Teepods that the last such run left for the next run, or VMs of a teepod that it skipped."
      }
    }
  },
  "AdminTeepod": {
    "type": "object",
    "description": "A TEE host process on a node.",
    "x-admin": {
      "about": "TEE host processes on nodes.",
      "title_field": "name",
      "group": "infrastructure",
      "columns": [
        "name",
        "state",
        "node_id",
        "used_cvms",
        "used_vcpu",
        "used_memory_mb",
        "used_gpus",
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
      },
      "pages": [
        {
          "path": "hosted-cvms",
          "label": "Hosted CVMs",
          "operation": "listHostedCvms",
          "component": "fleet/HostedCvms"
        },
        {
          "path": "managed-cvms",
          "label": "Managed CVMs",
          "operation": "listManagedCvms",
          "component": "fleet/ManagedCvms"
        },
        {
          "path": "teams",
          "label": "Teams",
          "operation": "listTeepodTeams",
          "component": "fleet/TeepodTeams"
        },
        {
          "path": "os-images",
          "label": "OS images",
          "operation": "listTeepodOsImages",
          "component": "fleet/TeepodImages"
        },
        {
          "path": "kms",
          "label": "Key service",
          "operation": "getTeepodKms",
          "component": "fleet/TeepodKms"
        },
        {
          "path": "placement",
          "label": "Placement",
          "operation": "getTeepodPlacement",
          "component": "fleet/TeepodPlacement"
        }
      ],
      "lead_panel": {
        "field": "drain_id",
        "component": "fleet/DrainProgress"
      },
      "panels": [
        "fleet/TeepodCheck"
      ],
      "create_panel": "fleet/CheckNewTeepod"
    },
    "required": [
      "id",
      "kind",
      "node_id",
      "name",
      "url",
      "credential_kind",
      "tee",
      "state",
      "node_state",
      "drain_id",
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
      "recycled_cvms",
      "recycled_disk_gb",
      "host_cvms",
      "host_vcpu",
      "host_memory_mb",
      "drift",
      "gpu_model",
      "gpu_count",
      "used_gpus",
      "port_mapping",
      "attach_all_gpus",
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
        "description": "`local` is the built-in teepod, without a hardware TEE.",
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
        ],
        "x-admin": {
          "on_page": "if_set"
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
        "description": "Desired state. A cordoned teepod takes no new CVMs. See `reachable` for whether it responds.",
        "x-admin": {
          "widget": "status",
          "observed": "reachable",
          "parent_state": "node_state"
        }
      },
      "node_state": {
        "type": "string",
        "enum": [
          "online",
          "maintenance",
          "offline"
        ],
        "readOnly": true,
        "description": "State of its node; `maintenance` during a maintenance window too. In maintenance or offline, no new CVMs are placed here."
      },
      "drain_id": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "The drain in progress.",
        "x-admin": {
          "reference": "drains",
          "no_tab": true,
          "on_page": "in_panel"
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
        "maxLength": 253,
        "description": "May include :port.",
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
        "description": "The host's own limit applies if it is lower."
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
      },
      "has_credential": {
        "type": "boolean",
        "readOnly": true,
        "x-admin": {
          "on_page": "if_set"
        }
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
        "readOnly": true,
        "description": "Why it doesn't respond; null while it does."
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
        "description": "The local teepod's container engine; null for others.",
        "readOnly": true
      },
      "used_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "readOnly": true,
        "x-admin": {
          "host_limit": "host_cvms"
        }
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
      "recycled_cvms": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "readOnly": true,
        "description": "CVM slots in use by deleted CVMs in the recycle bin.",
        "x-admin": {
          "on_page": "if_set",
          "label": "Recycle bin CVMs"
        }
      },
      "recycled_disk_gb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Disk in use by deleted CVMs in the recycle bin.",
        "x-admin": {
          "on_page": "if_set",
          "label": "Recycle bin disk"
        }
      },
      "host_cvms": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 2147483647,
        "description": "Capacity reported by the host; null if not reported.",
        "readOnly": true
      },
      "host_vcpu": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 2147483647,
        "description": "Capacity reported by the host.",
        "readOnly": true
      },
      "host_memory_mb": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 2147483647,
        "description": "Capacity reported by the host.",
        "readOnly": true
      },
      "drift": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "description": "CVMs and VMs that differ between database and host.",
        "readOnly": true,
        "x-admin": {
          "on_page": "if_set"
        }
      },
      "gpu_model": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "readOnly": true,
        "description": "GPU model reported by the host, such as NVIDIA H200. If there are several, the most common one."
      },
      "gpu_count": {
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
        "x-admin": {
          "limit": "gpu_count"
        },
        "description": "GPUs in use, or reserved for a team."
      },
      "port_mapping": {
        "type": "boolean",
        "readOnly": true,
        "description": "Whether the host maps ports to CVMs.",
        "x-admin": {
          "on_page": "if_set"
        }
      },
      "attach_all_gpus": {
        "type": "boolean",
        "readOnly": true,
        "description": "Whether the host attaches all of its GPUs to one CVM.",
        "x-admin": {
          "on_page": "if_set"
        }
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
          "widget": "mono",
          "items_of": "os-images"
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
  "AdminTemplate": {
    "type": "object",
    "description": "A template that administrators added. Its two files are described in docs/templates.md.",
    "x-admin": {
      "about": "Templates that administrators added. Their two files are described in docs/templates.md.",
      "title_field": "name",
      "group": "catalog",
      "columns": [
        "name",
        "id",
        "version",
        "category",
        "state",
        "source_url",
        "updated_at"
      ],
      "filters": [
        "category",
        "state",
        "origin"
      ],
      "sort": {
        "field": "id",
        "order": "ASC"
      }
    },
    "required": [
      "id",
      "name",
      "version",
      "category",
      "state",
      "origin",
      "source_url",
      "metadata",
      "compose_file",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "maxLength": 63,
        "readOnly": true,
        "description": "In the address of its page, and the default name of its apps.",
        "x-admin": {
          "widget": "mono"
        }
      },
      "name": {
        "type": "string",
        "maxLength": 60,
        "readOnly": true
      },
      "version": {
        "type": "string",
        "maxLength": 20,
        "readOnly": true
      },
      "category": {
        "allOf": [
          {
            "$ref": "#/components/schemas/TemplateCategory"
          }
        ],
        "readOnly": true
      },
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
      "origin": {
        "type": "string",
        "enum": [
          "entered",
          "address"
        ],
        "readOnly": true,
        "description": "Whether both files were entered here, or read from an address."
      },
      "source_url": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2048,
        "readOnly": true,
        "description": "The folder that both files were read from.",
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
  "AdminTransaction": {
    "type": "object",
    "description": "A movement of a team's money. Its entries sum to zero.",
    "x-admin": {
      "about": "Movements of teams' money. The entries of each sum to zero.",
      "title_field": "public_id",
      "group": "billing",
      "columns": [
        "effective_at",
        "team_id",
        "kind",
        "description",
        "amount"
      ],
      "filters": [
        "team_id",
        "kind",
        "source_type",
        "source_id"
      ],
      "sort": {
        "field": "id",
        "order": "DESC"
      },
      "sorts": [
        "id",
        "public_id",
        "team_id",
        "kind",
        "description",
        "source_type",
        "source_id",
        "effective_at"
      ],
      "create_panel": "billing/AdjustmentNotice"
    },
    "required": [
      "id",
      "public_id",
      "team_id",
      "seq",
      "kind",
      "description",
      "amount",
      "entries",
      "source_type",
      "source_id",
      "source_resource",
      "source_record_id",
      "effective_at",
      "booked_at",
      "hash"
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
      "team_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "readOnly": true,
        "x-admin": {
          "reference": "workspaces",
          "label": "Team"
        }
      },
      "seq": {
        "type": "integer",
        "minimum": 1,
        "maximum": 9007199254740991,
        "readOnly": true,
        "x-admin": {
          "label": "Number in chain"
        },
        "description": "Position in the team's chain."
      },
      "kind": {
        "type": "string",
        "enum": [
          "top_up",
          "usage",
          "usage_correction",
          "credit_grant",
          "credit_expiry",
          "credit_revocation",
          "refund",
          "dispute",
          "dispute_reversal",
          "adjustment",
          "write_off",
          "order",
          "order_refund",
          "tax"
        ],
        "readOnly": true,
        "x-admin": {
          "words": {
            "top_up": "Payment",
            "credit_grant": "Credit",
            "credit_expiry": "Expired credit",
            "credit_revocation": "Revoked credit",
            "dispute_reversal": "Dispute won",
            "write_off": "Write-off",
            "order_refund": "Order refund"
          }
        }
      },
      "description": {
        "type": "string",
        "maxLength": 500,
        "readOnly": true
      },
      "amount": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        },
        "description": "Change of the team's prepaid money and credits."
      },
      "entries": {
        "type": "array",
        "maxItems": 200,
        "readOnly": true,
        "items": {
          "$ref": "#/components/schemas/LedgerEntry"
        }
      },
      "source_type": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "description": "What it books.",
        "x-admin": {
          "spoken": true
        }
      },
      "source_id": {
        "type": "string",
        "maxLength": 200,
        "readOnly": true,
        "x-admin": {
          "widget": "mono",
          "record": {
            "resource": "source_resource",
            "id": "source_record_id"
          }
        }
      },
      "source_resource": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "hidden": true
        },
        "description": "Admin resource of the record that it books; null if there is none."
      },
      "source_record_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200,
        "readOnly": true,
        "x-admin": {
          "hidden": true
        }
      },
      "effective_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "booked_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true
      },
      "hash": {
        "type": "string",
        "maxLength": 64,
        "readOnly": true,
        "x-admin": {
          "widget": "mono"
        },
        "description": "Of this posting and all before it, hex."
      }
    }
  },
  "AdminUsage": {
    "type": "object",
    "description": "What a CVM, an AI key or an order cost in the current month.",
    "x-admin": {
      "about": "What CVMs, AI keys and orders cost in the current month.",
      "title_field": "name",
      "group": "teams",
      "columns": [
        "name",
        "kind",
        "team_id",
        "user_id",
        "running_hours",
        "disk_hours",
        "amount"
      ],
      "filters": [
        "kind",
        "user_id",
        "team_id",
        "app_id",
        "name"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      },
      "sorts": [
        "id",
        "kind",
        "name",
        "cvm_id",
        "user_id",
        "team_id",
        "app_id",
        "created_at",
        "deleted_at"
      ]
    },
    "required": [
      "id",
      "kind",
      "name",
      "cvm_id",
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
        "maxLength": 64,
        "readOnly": true,
        "description": "vm_uuid of a CVM, or the ID of an AI key or an order."
      },
      "kind": {
        "type": "string",
        "enum": [
          "cvm",
          "ai_key",
          "order"
        ],
        "readOnly": true
      },
      "name": {
        "type": "string",
        "maxLength": 200,
        "readOnly": true
      },
      "cvm_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 36,
        "readOnly": true,
        "x-admin": {
          "reference": "cvms",
          "label": "CVM"
        }
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
        "description": "The user who deployed the CVM, created the key or ordered."
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
        "type": [
          "string",
          "null"
        ],
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
        "description": "Hours billed at full size."
      },
      "disk_hours": {
        "type": "number",
        "minimum": 0,
        "maximum": 1000000,
        "readOnly": true,
        "description": "Hours stopped, when only its disk is billed."
      },
      "amount": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        },
        "description": "Since the month began: a CVM's usage, the requests of a key, or what an order was charged less refunds."
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
        "readOnly": true,
        "description": "When the CVM was deleted, the key was revoked or the order ended."
      }
    }
  },
  "AdminUser": {
    "type": "object",
    "description": "A user. Email addresses are shown with the permission `admin.users.pii`.",
    "x-admin": {
      "about": "Everyone with an account. Email addresses need the permission admin.users.pii.",
      "title_field": "username",
      "group": "teams",
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
        "created_at"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      },
      "sorts": [
        "id",
        "public_id",
        "username",
        "email",
        "state",
        "platform_role",
        "email_verified_at",
        "second_factor",
        "created_at",
        "updated_at"
      ],
      "pages": [
        {
          "path": "billing",
          "label": "Billing",
          "operation": "getAdminUserBilling",
          "component": "billing/UserBilling"
        },
        {
          "path": "transactions",
          "label": "Transactions",
          "operation": "listAdminTransactions",
          "component": "billing/UserTransactions"
        }
      ]
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
        "description": "Null without permission to see it.",
        "x-admin": {
          "needs_permission": "admin.users.pii"
        }
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
        "description": "Platform role, which controls access to the admin area."
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
        "description": "Whether the user has an authenticator app or passkey."
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
        "description": "Their existing CVMs, in all teams.",
        "x-admin": {
          "on_page": "if_set"
        }
      },
      "session_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Signed-in browsers."
      },
      "token_count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Valid API tokens.",
        "x-admin": {
          "on_page": "if_set"
        }
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
    "description": "A named list view: filters, sort order and columns.",
    "x-admin": {
      "about": "Named list views: filters, sort order and columns.",
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
      },
      "panels": [
        "views/OpenIt"
      ]
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
          "hidden": true
        },
        "description": "Query string of the list: filter, sort, order, perPage, columns (comma-separated IDs) and density (normal or compact)."
      },
      "shared": {
        "type": "boolean",
        "description": "Visible to everyone who can read saved views."
      },
      "mine": {
        "type": "boolean",
        "readOnly": true
      },
      "owner": {
        "type": "string",
        "maxLength": 200,
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
    "description": "A server process.",
    "x-admin": {
      "about": "Server processes.",
      "title_field": "id",
      "group": "system",
      "columns": [
        "hostname",
        "state",
        "role",
        "id",
        "holds",
        "teepods",
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
      "teepods",
      "shards",
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
        "readOnly": true,
        "x-admin": {
          "widget": "mono",
          "label": "Process ID"
        }
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
        "description": "`silent`: no heartbeat for 30 seconds."
      },
      "holds": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Its current work."
      },
      "teepods": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "Teepods that only this process reconciles and measures."
      },
      "shards": {
        "type": "integer",
        "minimum": 0,
        "maximum": 64,
        "readOnly": true,
        "description": "Of the 64 shards into which teepods are divided."
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
    "description": "A team with its members, apps, limits and spend.",
    "x-admin": {
      "about": "Teams with their members, apps, limits and spend.",
      "title_field": "name",
      "group": "teams",
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
        "in_debt",
        "require_second_factor",
        "created_at",
        "deleted_at"
      ],
      "sorts": [
        "id",
        "public_id",
        "slug",
        "name",
        "tier",
        "owner_id",
        "max_cvms",
        "max_vcpu",
        "max_memory_mb",
        "max_disk_gb",
        "in_debt",
        "require_second_factor",
        "deleted_at",
        "created_at",
        "updated_at"
      ],
      "sort": {
        "field": "created_at",
        "order": "DESC"
      },
      "pages": [
        {
          "path": "teepods",
          "label": "Teepods",
          "operation": "listAdminTeepods",
          "component": "workspaces/Teepods"
        }
      ]
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
      "balance",
      "in_debt",
      "debt_since",
      "stops_at",
      "charged_month",
      "max_cvms",
      "max_vcpu",
      "max_memory_mb",
      "max_disk_gb",
      "post_paid_cap",
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
        "maxLength": 200
      },
      "tier": {
        "type": "string",
        "minLength": 1,
        "maxLength": 32,
        "pattern": "^[a-z][a-z0-9_-]*$",
        "x-admin": {
          "spoken": true
        }
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
          "reference": "users",
          "tab": "Owned teams"
        },
        "description": "The longest-standing owner."
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
        "description": "GPUs used by its CVMs and deployments, reserved or not.",
        "x-admin": {
          "on_page": "if_set"
        }
      },
      "reserved_gpus": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "readOnly": true,
        "description": "GPUs reserved for it, in use or not.",
        "x-admin": {
          "on_page": "if_set"
        }
      },
      "balance": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money"
        },
        "description": "Prepaid money and credits, as posted. Usage since the last full hour is not part of it."
      },
      "in_debt": {
        "type": "boolean",
        "readOnly": true,
        "description": "Whether it owes more than its post-paid cap.",
        "x-admin": {
          "on_page": "if_set"
        }
      },
      "debt_since": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "x-admin": {
          "label": "In debt since"
        },
        "description": "Null without a debt."
      },
      "stops_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "readOnly": true,
        "x-admin": {
          "label": "CVMs stop at"
        },
        "description": "When its CVMs stop because of the debt. Null without a debt."
      },
      "charged_month": {
        "type": "string",
        "maxLength": 32,
        "readOnly": true,
        "x-admin": {
          "widget": "money",
          "label": "Posted this month"
        },
        "description": "What its ledger charged since the month began in UTC: CVMs, AI requests and orders. Usage since the last full hour is not part of it."
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
  },
  "AiModelUpstream": {
    "type": "object",
    "description": "An upstream that serves a model.",
    "additionalProperties": false,
    "required": [
      "upstream_id",
      "model"
    ],
    "properties": {
      "upstream_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-admin": {
          "reference": "ai-upstreams"
        }
      },
      "model": {
        "type": "string",
        "maxLength": 200,
        "minLength": 1,
        "description": "Its name for the model.",
        "x-admin": {
          "widget": "mono"
        }
      }
    }
  },
  "LedgerEntry": {
    "type": "object",
    "description": "A change of one account.",
    "required": [
      "account",
      "amount"
    ],
    "properties": {
      "account": {
        "type": "string",
        "maxLength": 64,
        "x-admin": {
          "words": {
            "prepaid": "Prepaid balance",
            "credits": "Credits",
            "revenue": "Revenue",
            "tax": "Tax",
            "promotion": "Promotions",
            "adjustment": "Adjustments",
            "dispute": "Disputes",
            "write_off": "Write-offs"
          }
        }
      },
      "amount": {
        "type": "string",
        "maxLength": 32,
        "x-admin": {
          "widget": "money"
        }
      },
      "credit": {
        "type": "string",
        "maxLength": 64,
        "description": "ID of the credit it uses or refills.",
        "x-admin": {
          "widget": "mono"
        }
      }
    }
  },
  "OperationType": {
    "type": "string",
    "enum": [
      "deploy",
      "start",
      "stop",
      "shutdown",
      "restart",
      "update",
      "resize",
      "delete",
      "purge",
      "move"
    ]
  },
  "PaymentReceipt": {
    "type": "object",
    "description": "A transfer that arrived.",
    "required": [
      "amount",
      "bank_reference",
      "received_at",
      "confirmed_by",
      "reversed_at",
      "reversed_reason"
    ],
    "properties": {
      "amount": {
        "type": "string",
        "maxLength": 32,
        "x-admin": {
          "widget": "money"
        }
      },
      "bank_reference": {
        "type": "string",
        "maxLength": 100,
        "description": "The bank's transfer number, or Stripe's ID of a card payment.",
        "x-admin": {
          "label": "Bank’s number or Stripe ID"
        }
      },
      "received_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40
      },
      "confirmed_by": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200,
        "description": "Username."
      },
      "reversed_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time",
        "maxLength": 40,
        "description": "When it was reversed, because it was confirmed by mistake."
      },
      "reversed_reason": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500,
        "x-admin": {
          "label": "Reason"
        }
      }
    }
  },
  "TemplateCategory": {
    "type": "string",
    "enum": [
      "ai",
      "databases",
      "mcp",
      "security",
      "tools",
      "web"
    ]
  },
  "TextId": {
    "type": "string",
    "description": "Identifies a sentence. New IDs may be added.",
    "enum": [
      "no_vm",
      "already_stopped",
      "stop_forced",
      "old_host_silent",
      "step_canceled",
      "vm_gone",
      "old_vm_gone",
      "new_host_failed",
      "contract_refused",
      "revision_failed",
      "boot_error",
      "boot_ended",
      "boot_ended_at",
      "host_refused",
      "host_error",
      "host_said",
      "host_unexpected",
      "host_silent",
      "deadline_passed",
      "took_too_long",
      "internal_error",
      "previous_revision_runs",
      "size_kept",
      "previous_size_runs",
      "old_host_runs",
      "error_before",
      "lost_boot_error",
      "lost_status",
      "lost_vm",
      "restarts_failed",
      "advice_recreate",
      "advice_compose",
      "advice_logs",
      "advice_fix",
      "advice_retry",
      "advice_start",
      "no_host",
      "no_region_host",
      "no_slot",
      "no_gpu",
      "no_vcpu",
      "no_memory",
      "no_disk",
      "owner_allows_move",
      "nothing_on_disk",
      "disk_protected",
      "disk_not_movable",
      "no_other_host",
      "no_kms_host",
      "no_gateway_host",
      "no_image_host",
      "no_gpu_host",
      "no_gpu_model_host",
      "gpus_taken",
      "cvm_deleted",
      "cvm_recycled",
      "on_other_host",
      "cvm_changing",
      "operation_live",
      "rollback_live",
      "operation_failed",
      "operation_said",
      "cvm_was_stopped",
      "host_down",
      "left_running",
      "waiting_turn",
      "cvm_moving",
      "cvm_moved",
      "cvm_started",
      "stop_announced",
      "cvm_stopping",
      "cvm_stopped",
      "drain_canceled",
      "drain_canceled_late",
      "cvm_named",
      "more_blocked",
      "drain_done",
      "node_closed",
      "teepod_silent",
      "teepod_error",
      "teepod_warning",
      "drain_blocked",
      "drain_said",
      "drift",
      "capacity_missing",
      "overcommitted",
      "host_cvm_limit",
      "over_limit",
      "slots_full",
      "repair_deleted",
      "repair_live",
      "repair_rollback_live",
      "repair_recreate",
      "repair_recreate_later",
      "repair_stop",
      "repair_update_later",
      "repair_start",
      "repair_restart",
      "repair_remove",
      "repair_foreign",
      "repair_unknown",
      "vm_not_listed",
      "lost_not_listed",
      "advice_vm_not_listed",
      "repair_missing",
      "repair_duplicate",
      "lost_reload_refused",
      "lost_other_vms",
      "cvm_lost",
      "repair_other_vm",
      "no_disk_yet",
      "half_written",
      "advice_start_first",
      "no_port_host",
      "port_taken",
      "no_all_gpus_host",
      "keys_refused_hash",
      "keys_refused_device",
      "keys_refused",
      "advice_allow_hash",
      "advice_allow_device",
      "advice_contract",
      "no_keys",
      "advice_keys"
    ]
  },
  "TextKey": {
    "type": "object",
    "description": "A sentence by ID, with the values in it. An ID always has the same values.",
    "required": [
      "id",
      "params"
    ],
    "properties": {
      "id": {
        "$ref": "#/components/schemas/TextId"
      },
      "params": {
        "$ref": "#/components/schemas/TextParams"
      }
    }
  },
  "TextKeys": {
    "type": "array",
    "maxItems": 20,
    "items": {
      "$ref": "#/components/schemas/TextKey"
    },
    "description": "A text as sentences by ID, in order. Clients show their own text for the IDs. The field named like this one without `_keys` has the same text in English, for clients that don't know an ID. Empty without a text, and for a text written by an earlier server version."
  },
  "TextParams": {
    "type": "object",
    "description": "Values in a sentence. Its ID determines which are present.",
    "properties": {
      "text": {
        "type": "string",
        "maxLength": 2000,
        "description": "Text from elsewhere, such as an error of the host. Not translated."
      },
      "name": {
        "type": "string",
        "maxLength": 200,
        "description": "CVM name."
      },
      "host": {
        "type": "string",
        "maxLength": 200,
        "description": "Teepod name."
      },
      "region": {
        "type": "string",
        "maxLength": 200
      },
      "image": {
        "type": "string",
        "maxLength": 200,
        "description": "OS image."
      },
      "model": {
        "type": "string",
        "maxLength": 200,
        "description": "GPU model."
      },
      "port": {
        "type": "string",
        "maxLength": 16,
        "description": "Host port, as 8080/tcp."
      },
      "status": {
        "type": "string",
        "maxLength": 200
      },
      "operation": {
        "$ref": "#/components/schemas/OperationType"
      },
      "phase": {
        "type": "string",
        "enum": [
          "operation",
          "create",
          "boot",
          "stop",
          "remove",
          "undo",
          "contract"
        ],
        "description": "The part of an operation."
      },
      "resource": {
        "type": "string",
        "enum": [
          "cvms",
          "vcpu",
          "memory_mb",
          "disk_gb"
        ]
      },
      "at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 40
      },
      "seconds": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "count": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "limit": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "wanted": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "most": {
        "type": "integer",
        "minimum": -2147483648,
        "maximum": 2147483647,
        "description": "The most that is free on one host; negative if overcommitted."
      },
      "vcpu": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "memory_mb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "disk_gb": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "free": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "used": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "reserved": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "description": "Reserved for other teams."
      },
      "broken": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "description": "Out of service."
      },
      "moved": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      },
      "stopped": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
      }
    }
  }
};
