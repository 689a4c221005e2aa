// This file is written by `npm run codegen` from openapi/product.yaml. Do not edit.

export const permissions = {
  "public": {
    "roles": [
      "public"
    ],
    "description": "Anyone, signed in or not."
  },
  "signed_in": {
    "roles": [
      "signed_in"
    ],
    "description": "Any session or token."
  },
  "account.read": {
    "roles": [
      "signed_in"
    ],
    "scope": "user:profile",
    "description": "Read one's own account."
  },
  "account.write": {
    "roles": [
      "signed_in"
    ],
    "scope": "session",
    "description": "Change one's own account, approve logins. Only with a session: no token may."
  },
  "ssh_keys.read": {
    "roles": [
      "signed_in"
    ],
    "scope": "user:profile",
    "description": "Read one's own SSH keys."
  },
  "ssh_keys.write": {
    "roles": [
      "signed_in"
    ],
    "scope": "user:profile",
    "description": "Add and remove one's own SSH keys."
  },
  "teams.create": {
    "roles": [
      "signed_in"
    ],
    "scope": "session",
    "description": "Make a team."
  },
  "team.read": {
    "roles": [
      "viewer",
      "member",
      "billing",
      "admin",
      "owner"
    ],
    "scope": "user:profile",
    "description": "Read the team, its limits and its members."
  },
  "team.members": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Invite, remove and change the roles of members."
  },
  "team.settings": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Rename the team and change its settings."
  },
  "team.security": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Require second factors, set up single sign-on."
  },
  "team.delete": {
    "roles": [
      "owner"
    ],
    "scope": "session",
    "description": "Transfer or delete the team."
  },
  "team.audit": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "audit:read",
    "description": "Read and export the audit log."
  },
  "tokens.read": {
    "roles": [
      "member",
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "See API tokens: your own, as admin or owner everybody's."
  },
  "tokens.write": {
    "roles": [
      "member",
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Make and revoke API tokens of your own; admins and owners revoke everybody's."
  },
  "nodes.read": {
    "roles": [
      "viewer",
      "member",
      "billing",
      "admin",
      "owner"
    ],
    "scope": "nodes:*",
    "description": "See the hosts the team may use."
  },
  "catalogue.read": {
    "roles": [
      "signed_in",
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "description": "Read images and key management services."
  },
  "apps.read": {
    "roles": [
      "viewer",
      "member",
      "billing",
      "admin",
      "owner",
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "cvms:*",
    "description": "Read apps and their revisions."
  },
  "cvms.read": {
    "roles": [
      "viewer",
      "member",
      "billing",
      "admin",
      "owner",
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "cvms:*",
    "description": "Read CVMs, operations and events."
  },
  "cvms.logs": {
    "roles": [
      "viewer",
      "member",
      "billing",
      "admin",
      "owner",
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "cvms:*",
    "description": "Read logs. Log URLs carry a signed token issued to who has this."
  },
  "cvms.write": {
    "roles": [
      "member",
      "admin",
      "owner"
    ],
    "scope": "cvms:*",
    "description": "Deploy, change and delete CVMs."
  },
  "cvms.operate": {
    "roles": [
      "member",
      "admin",
      "owner",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "cvms:*",
    "description": "Start, stop and restart CVMs, and cancel what is under way."
  },
  "secrets.copy": {
    "roles": [
      "member",
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Keep second copies of secrets in one's own vault, which the server cannot open."
  },
  "webhooks.read": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "webhooks:*",
    "description": "See webhooks and what was delivered to them."
  },
  "webhooks.write": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "webhooks:*",
    "description": "Make, change, test and delete webhooks."
  },
  "webhooks.secret": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Read and replace the secret of a webhook."
  },
  "admin.infra.read": {
    "roles": [
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read nodes, teepods and the catalogue in the admin area."
  },
  "admin.infra.write": {
    "roles": [
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Change nodes and teepods."
  },
  "admin.catalogue.write": {
    "roles": [
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Change instance types and prices."
  },
  "admin.system.read": {
    "roles": [
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read kept error reports."
  },
  "admin.announcements.read": {
    "roles": [
      "platform:support",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read announcements and whom they are for."
  },
  "admin.announcements.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Write, publish and end announcements."
  },
  "admin.queues.read": {
    "roles": [
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read queues, schedules, processes and alerts."
  },
  "admin.queues.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Retry and cancel what queues hold."
  },
  "admin.chat.read": {
    "roles": [
      "platform:support",
      "platform:admin"
    ],
    "scope": "session",
    "description": "See the chat bot and its chats."
  },
  "admin.chat.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "session",
    "description": "Set up the chat bot, link chats, acknowledge alerts."
  },
  "admin.outbox.read": {
    "roles": [
      "platform:admin"
    ],
    "scope": "session",
    "description": "Read mail that waits in the outbox, with the links in it."
  },
  "admin.outbox.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "session",
    "description": "Send mail of the outbox again."
  },
  "admin.cvms.read": {
    "roles": [
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read the CVMs of all teams, and what happened to them."
  },
  "admin.cvms.write": {
    "roles": [
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Start, stop and restart CVMs of teams."
  },
  "admin.bulk.read": {
    "roles": [
      "platform:support",
      "platform:finance",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read bulk jobs of the resources one may list."
  },
  "admin.bulk.write": {
    "roles": [
      "platform:finance",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Do to many rows at once what one may do to each."
  },
  "admin.views.read": {
    "roles": [
      "platform:support",
      "platform:finance",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read one's own saved views of admin lists and those others share."
  },
  "admin.views.write": {
    "roles": [
      "platform:support",
      "platform:finance",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Save, share and remove one's own views of admin lists."
  },
  "admin.users.read": {
    "roles": [
      "platform:support",
      "platform:finance",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "session",
    "description": "Read people, teams, who is in which, and apps."
  },
  "admin.users.pii": {
    "roles": [
      "platform:support",
      "platform:finance",
      "platform:admin"
    ],
    "scope": "session",
    "description": "See the e-mail addresses of people."
  },
  "admin.users.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "session",
    "description": "Change roles of people, suspend them, end their sessions, reset their second factor."
  },
  "admin.users.view_as": {
    "roles": [
      "platform:support",
      "platform:admin"
    ],
    "scope": "session",
    "description": "Look at the console as somebody else, without changing anything."
  },
  "admin.workspaces.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "session",
    "description": "Change the name, tier and limits of teams, and delete empty ones."
  },
  "admin.usage.read": {
    "roles": [
      "platform:support",
      "platform:finance",
      "platform:admin"
    ],
    "scope": "session",
    "description": "Read what the CVMs of people and teams used and cost."
  },
  "admin.audit.read": {
    "roles": [
      "platform:support",
      "platform:admin"
    ],
    "scope": "session",
    "description": "Read the audit log of the platform and of all teams, and check its chains."
  }
} as const;

export type Permission = keyof typeof permissions;

/** Every problem code with its status, public title and what a person can do about it. */
export const problems = {
  "ERR-00-001": {
    "status": 401,
    "name": "UNAUTHENTICATED",
    "title": "Sign-in needed",
    "what_to_do": "Sign in, or send an API token in X-API-Key."
  },
  "ERR-00-002": {
    "status": 401,
    "name": "INVALID_API_KEY",
    "title": "Invalid API key",
    "what_to_do": "Check the token: it may be mistyped, expired or revoked. Make a new one if in doubt."
  },
  "ERR-00-003": {
    "status": 403,
    "name": "FORBIDDEN",
    "title": "Not allowed",
    "what_to_do": "Ask an admin or owner of the team for a role that allows this, or use a token with the scope named."
  },
  "ERR-00-004": {
    "status": 404,
    "name": "NOT_FOUND",
    "title": "Not found",
    "what_to_do": "Check the address: it does not exist, or belongs to a team you are not in."
  },
  "ERR-00-005": {
    "status": 422,
    "name": "VALIDATION_FAILED",
    "title": "The request has mistakes",
    "what_to_do": "Correct the fields named in detail."
  },
  "ERR-00-006": {
    "status": 400,
    "name": "MALFORMED_JSON",
    "title": "The body is not valid JSON",
    "what_to_do": "Send one JSON value in UTF-8."
  },
  "ERR-00-007": {
    "status": 413,
    "name": "PAYLOAD_TOO_LARGE",
    "title": "The body is too large",
    "what_to_do": "Send less; the limit is x-limits.body_bytes of the operation."
  },
  "ERR-00-008": {
    "status": 429,
    "name": "RATE_LIMITED",
    "title": "Too many requests",
    "what_to_do": "Wait the seconds in Retry-After."
  },
  "ERR-00-009": {
    "status": 500,
    "name": "INTERNAL",
    "title": "The server made a mistake",
    "what_to_do": "Try again. If it stays, report the request id."
  },
  "ERR-00-010": {
    "status": 503,
    "name": "NOT_READY",
    "title": "The server is starting or shutting down",
    "what_to_do": "Try again in a few seconds."
  },
  "ERR-00-011": {
    "status": 422,
    "name": "IDEMPOTENCY_KEY_REUSED",
    "title": "The Idempotency-Key was used with another body",
    "what_to_do": "Use a new key for a new request."
  },
  "ERR-00-012": {
    "status": 409,
    "name": "IDEMPOTENT_REQUEST_IN_PROGRESS",
    "title": "The first request with this Idempotency-Key is still running",
    "what_to_do": "Wait and send the same request again."
  },
  "ERR-00-013": {
    "status": 415,
    "name": "UNSUPPORTED_MEDIA_TYPE",
    "title": "The content type is not supported",
    "what_to_do": "Send one of the content types of the operation."
  },
  "ERR-00-014": {
    "status": 405,
    "name": "METHOD_NOT_ALLOWED",
    "title": "The method is not allowed here",
    "what_to_do": "Use one of the methods in the Allow header."
  },
  "ERR-00-015": {
    "status": 409,
    "name": "CONFLICT",
    "title": "The change conflicts with the present state",
    "what_to_do": "Reload, look at what changed, and try again."
  },
  "ERR-00-016": {
    "status": 409,
    "name": "OPERATION_IN_PROGRESS",
    "title": "Another operation is running on this CVM",
    "what_to_do": "Wait until it ends; the operations list shows it."
  },
  "ERR-00-017": {
    "status": 502,
    "name": "HOST_UNREACHABLE",
    "title": "The TEE host does not answer",
    "what_to_do": "Try again; if it stays, an administrator has to look at the host."
  },
  "ERR-00-018": {
    "status": 502,
    "name": "HOST_REFUSED",
    "title": "The TEE host refused the request",
    "what_to_do": "Read the reason given by the host in detail."
  },
  "ERR-00-019": {
    "status": 504,
    "name": "DEADLINE_PASSED",
    "title": "The operation did not end in time",
    "what_to_do": "Look at its last step, then try again."
  },
  "ERR-00-020": {
    "status": 412,
    "name": "PRECONDITION_FAILED",
    "title": "Somebody changed it since you read it",
    "what_to_do": "Reload and apply the change again."
  },
  "ERR-00-021": {
    "status": 409,
    "name": "IN_USE",
    "title": "It is still in use",
    "what_to_do": "Remove or move what uses it first."
  },
  "ERR-00-022": {
    "status": 401,
    "name": "INVALID_CREDENTIALS",
    "title": "E-mail address or password is wrong",
    "what_to_do": "Try again, or reset the password."
  },
  "ERR-00-023": {
    "status": 403,
    "name": "REGISTRATION_CLOSED",
    "title": "Registration is closed",
    "what_to_do": "Ask an administrator of this server for an account."
  },
  "ERR-00-024": {
    "status": 409,
    "name": "SLUG_TAKEN",
    "title": "The team address is taken",
    "what_to_do": "Choose another."
  },
  "ERR-00-025": {
    "status": 422,
    "name": "SLUG_RESERVED",
    "title": "The team address is reserved",
    "what_to_do": "Choose another: pages of the site use this one."
  },
  "ERR-00-026": {
    "status": 409,
    "name": "WRONG_STATE",
    "title": "Not possible in the present state of the CVM",
    "what_to_do": "Bring it to the state named in detail first."
  },
  "ERR-00-027": {
    "status": 400,
    "name": "DEVICE_AUTHORIZATION",
    "title": "The device is not authorised (yet)",
    "what_to_do": "Approve the login in the browser; the reason is in detail.error."
  },
  "ERR-00-028": {
    "status": 409,
    "name": "PROVISION_EXPIRED",
    "title": "The reservation has ended",
    "what_to_do": "Provision again."
  },
  "ERR-00-029": {
    "status": 403,
    "name": "LOG_TOKEN_INVALID",
    "title": "The log address has expired or is not valid",
    "what_to_do": "Read the CVM again and use the new address."
  },
  "ERR-00-030": {
    "status": 400,
    "name": "UNKNOWN_CHAIN",
    "title": "This server has no such chain",
    "what_to_do": "Use ethereum or base."
  },
  "ERR-00-031": {
    "status": 403,
    "name": "STEP_UP_REQUIRED",
    "title": "Confirm that it is you",
    "what_to_do": "Confirm with your password, passkey or authenticator code, then do it again."
  },
  "ERR-00-032": {
    "status": 403,
    "name": "SECOND_FACTOR_REQUIRED",
    "title": "This team requires a second factor",
    "what_to_do": "Set one up under Account settings, Security; then sign in with it."
  },
  "ERR-00-033": {
    "status": 403,
    "name": "SSO_REQUIRED",
    "title": "This team requires single sign-on",
    "what_to_do": "Sign in through the team's provider."
  },
  "ERR-00-034": {
    "status": 403,
    "name": "EMAIL_UNVERIFIED",
    "title": "The e-mail address is not confirmed yet",
    "what_to_do": "Open the link that was mailed to you, or have it sent again."
  },
  "ERR-00-035": {
    "status": 404,
    "name": "LINK_INVALID",
    "title": "The link is not valid any more",
    "what_to_do": "It was used, has expired or was replaced by a newer one. Ask for a new one."
  },
  "ERR-00-036": {
    "status": 401,
    "name": "SIGN_IN_EXPIRED",
    "title": "The sign-in took too long",
    "what_to_do": "Sign in again."
  },
  "ERR-00-037": {
    "status": 401,
    "name": "WRONG_CODE",
    "title": "The code is wrong or was used already",
    "what_to_do": "Wait for the next code and try again, or use another way."
  },
  "ERR-00-038": {
    "status": 409,
    "name": "LAST_OWNER",
    "title": "A team needs an owner",
    "what_to_do": "Transfer the ownership first, or delete the team."
  },
  "ERR-00-039": {
    "status": 409,
    "name": "INVITED_ALREADY",
    "title": "That address is invited or a member already",
    "what_to_do": "Resend the pending invitation, or look at the members."
  },
  "ERR-00-040": {
    "status": 403,
    "name": "WRONG_ACCOUNT",
    "title": "The invitation is for another address",
    "what_to_do": "Sign out, and sign in or register with the address it was sent to."
  },
  "ERR-00-041": {
    "status": 409,
    "name": "DOMAIN_UNVERIFIED",
    "title": "The domain is not verified",
    "what_to_do": "Publish the TXT record shown, wait for DNS, verify again."
  },
  "ERR-00-042": {
    "status": 401,
    "name": "SSO_FAILED",
    "title": "The sign-in provider's answer was not accepted",
    "what_to_do": "Start again; if it stays, an admin of the team has to check the connection."
  },
  "ERR-00-043": {
    "status": 409,
    "name": "SECOND_FACTOR_MISSING",
    "title": "No second factor is set up",
    "what_to_do": "Set one up first."
  },
  "ERR-00-044": {
    "status": 409,
    "name": "CVM_PROTECTED",
    "title": "The CVM is protected against deletion",
    "what_to_do": "End the protection in its settings first; you confirm that it is you."
  },
  "ERR-00-045": {
    "status": 502,
    "name": "UPSTREAM_UNREACHABLE",
    "title": "The other service does not answer",
    "what_to_do": "Try again; if it stays, an administrator has to check what this server may reach."
  },
  "ERR-01-001": {
    "status": 400,
    "name": "NODE_NOT_FOUND",
    "title": "The requested host is not available",
    "what_to_do": "Choose another host, or none to let the scheduler choose."
  },
  "ERR-01-002": {
    "status": 400,
    "name": "COMPOSE_FILE_REQUIRED",
    "title": "A compose file is needed",
    "what_to_do": "Send compose_file.docker_compose_file."
  },
  "ERR-01-003": {
    "status": 400,
    "name": "INVALID_COMPOSE_FILE",
    "title": "The compose file is not valid",
    "what_to_do": "Correct the line named in detail."
  },
  "ERR-01-004": {
    "status": 409,
    "name": "DUPLICATE_CVM_NAME",
    "title": "The name is taken in this team",
    "what_to_do": "Choose another name, or delete the CVM that has it."
  },
  "ERR-01-005": {
    "status": 465,
    "name": "HASH_REGISTRATION_REQUIRED",
    "title": "The compose hash must be registered on chain",
    "what_to_do": "Register the hash with the app contract, then confirm."
  },
  "ERR-01-006": {
    "status": 466,
    "name": "HASH_INVALID_OR_EXPIRED",
    "title": "The commit token or hash has expired",
    "what_to_do": "Prepare the update again."
  },
  "ERR-01-007": {
    "status": 467,
    "name": "TX_VERIFICATION_FAILED",
    "title": "The transaction could not be verified",
    "what_to_do": "Check that it succeeded on the right chain and contract."
  },
  "ERR-01-008": {
    "status": 468,
    "name": "HASH_NOT_ALLOWED",
    "title": "The contract does not allow the hash",
    "what_to_do": "Register the hash with the app contract."
  },
  "ERR-02-001": {
    "status": 400,
    "name": "INSTANCE_TYPE_NOT_FOUND",
    "title": "The instance type does not exist",
    "what_to_do": "Choose one of the instance types."
  },
  "ERR-02-002": {
    "status": 400,
    "name": "RESOURCE_NOT_AVAILABLE",
    "title": "No host fits the requirements",
    "what_to_do": "Choose a smaller size, another region or no particular host, or try later."
  },
  "ERR-02-003": {
    "status": 400,
    "name": "INSUFFICIENT_VCPU",
    "title": "Not enough vCPU free",
    "what_to_do": "Choose a smaller size or another host, or try later."
  },
  "ERR-02-004": {
    "status": 400,
    "name": "INSUFFICIENT_MEMORY",
    "title": "Not enough memory free",
    "what_to_do": "Choose a smaller size or another host, or try later."
  },
  "ERR-02-005": {
    "status": 400,
    "name": "INSUFFICIENT_SLOTS",
    "title": "No free CVM slot",
    "what_to_do": "Choose another host or try later."
  },
  "ERR-02-006": {
    "status": 400,
    "name": "GPU_ALLOCATION_ERROR",
    "title": "GPU allocation failed",
    "what_to_do": "Try again, or choose another host."
  },
  "ERR-02-007": {
    "status": 400,
    "name": "INSUFFICIENT_GPU",
    "title": "Not enough GPUs free",
    "what_to_do": "Choose fewer GPUs or try later."
  },
  "ERR-02-008": {
    "status": 400,
    "name": "INVALID_REQUEST",
    "title": "The parameters are not valid",
    "what_to_do": "Correct what detail names."
  },
  "ERR-02-009": {
    "status": 400,
    "name": "INCOMPATIBLE_CONFIG",
    "title": "The parameters contradict each other",
    "what_to_do": "Correct what detail names."
  },
  "ERR-02-010": {
    "status": 400,
    "name": "IMAGE_NOT_FOUND",
    "title": "The OS image is not known",
    "what_to_do": "Choose one of the OS images."
  },
  "ERR-02-011": {
    "status": 400,
    "name": "KMS_NOT_FOUND",
    "title": "No matching KMS",
    "what_to_do": "Choose one of the key management services of the host."
  },
  "ERR-02-012": {
    "status": 403,
    "name": "TEEPOD_NOT_ACCESSIBLE",
    "title": "The team may not use this host",
    "what_to_do": "Choose another host."
  },
  "ERR-02-013": {
    "status": 400,
    "name": "OS_IMAGE_NOT_COMPATIBLE",
    "title": "No compatible OS image on the host",
    "what_to_do": "Choose another image or host."
  },
  "ERR-02-014": {
    "status": 400,
    "name": "NODE_CAPACITY_NOT_CONFIGURED",
    "title": "The host has no capacity set",
    "what_to_do": "An administrator has to set the capacity of the host."
  },
  "ERR-02-015": {
    "status": 400,
    "name": "QUOTA_EXCEEDED",
    "title": "The team's quota is used up",
    "what_to_do": "Delete or shrink CVMs, or ask for a higher quota."
  },
  "ERR-02-016": {
    "status": 400,
    "name": "GPU_BUSY",
    "title": "The GPUs are busy",
    "what_to_do": "Try later or choose another host."
  },
  "ERR-03-001": {
    "status": 404,
    "name": "CVM_NOT_FOUND",
    "title": "The requested CVM was not found",
    "what_to_do": "Check the name or id, and the team."
  },
  "ERR-03-002": {
    "status": 400,
    "name": "MULTIPLE_CVMS_SAME_NAME",
    "title": "Several CVMs have this name",
    "what_to_do": "Use the vm_uuid."
  },
  "ERR-03-003": {
    "status": 404,
    "name": "CVM_NOT_IN_WORKSPACE",
    "title": "The CVM is in another team",
    "what_to_do": "Switch to the team that owns it."
  },
  "ERR-03-004": {
    "status": 404,
    "name": "CVM_NOT_VISIBLE",
    "title": "The requested CVM was not found",
    "what_to_do": "Check the name or id, and the team."
  },
  "ERR-03-005": {
    "status": 404,
    "name": "CVM_ACCESS_DENIED",
    "title": "The requested CVM was not found",
    "what_to_do": "Check the name or id, and the team."
  },
  "ERR-03-006": {
    "status": 400,
    "name": "REPLICA_IMAGE_NOT_AVAILABLE",
    "title": "The host does not have the OS image of the source",
    "what_to_do": "Choose another host."
  },
  "ERR-03-007": {
    "status": 409,
    "name": "CVM_APP_ID_CONFLICT",
    "title": "The app id is used with another compose hash",
    "what_to_do": "Provision again to get a new app id."
  },
  "ERR-03-008": {
    "status": 404,
    "name": "REPLICA_SOURCE_NOT_FOUND",
    "title": "The CVM to replicate was not found",
    "what_to_do": "Check the id, and the team."
  },
  "ERR-03-009": {
    "status": 400,
    "name": "REPLICA_HASH_REQUIRED",
    "title": "The compose hash must be named to replicate",
    "what_to_do": "Send compose_hash."
  },
  "ERR-03-010": {
    "status": 400,
    "name": "AMBIGUOUS_CVM",
    "title": "Several CVMs match",
    "what_to_do": "Use the vm_uuid of one of them."
  },
  "ERR-04-001": {
    "status": 402,
    "name": "INSUFFICIENT_BALANCE",
    "title": "The balance is too low",
    "what_to_do": "Top up, or settle the debt."
  },
  "ERR-04-002": {
    "status": 400,
    "name": "MAX_CVM_LIMIT",
    "title": "The team has as many CVMs as its tier allows",
    "what_to_do": "Delete a CVM or ask for a higher tier."
  },
  "ERR-04-003": {
    "status": 400,
    "name": "RESOURCE_LIMIT_EXCEEDED",
    "title": "The team's resource limit is reached",
    "what_to_do": "Delete or shrink CVMs, or ask for a higher tier."
  },
  "ERR-05-001": {
    "status": 400,
    "name": "TOKEN_LIMIT_EXCEEDED",
    "title": "Too many API tokens",
    "what_to_do": "Revoke one that is not used."
  },
  "ERR-05-002": {
    "status": 429,
    "name": "TOKEN_RATE_LIMIT",
    "title": "API tokens are made too fast",
    "what_to_do": "Wait a minute."
  },
  "ERR-06-001": {
    "status": 400,
    "name": "OAUTH_EMAIL_INVALID",
    "title": "The sign-in provider gave no usable e-mail address",
    "what_to_do": "Sign in another way."
  },
  "ERR-07-001": {
    "status": 403,
    "name": "SECOND_FACTOR_NEEDED",
    "title": "Only somebody with a second factor may do this",
    "what_to_do": "Set one up under Account settings, Security; then do it again."
  },
  "ERR-07-002": {
    "status": 428,
    "name": "CONFIRMATION_NEEDED",
    "title": "Confirm that it is you",
    "what_to_do": "Confirm with your password, passkey or authenticator code, then do it again."
  },
  "ERR-07-003": {
    "status": 409,
    "name": "WEBHOOK_LIMIT",
    "title": "The team has as many webhooks as it may have",
    "what_to_do": "Delete one that is not needed."
  },
  "ERR-08-001": {
    "status": 403,
    "name": "VIEWING_AS",
    "title": "Not while you view as somebody else",
    "what_to_do": "End viewing first: the button is in the banner of the console."
  },
  "ERR-08-002": {
    "status": 409,
    "name": "LAST_PLATFORM_ADMIN",
    "title": "The platform needs an admin",
    "what_to_do": "Make somebody else platform admin first."
  }
} as const;

export type ProblemCode = keyof typeof problems;

/** The same by name: what the code of the server says. */
export const problemCodes = {
  "UNAUTHENTICATED": "ERR-00-001",
  "INVALID_API_KEY": "ERR-00-002",
  "FORBIDDEN": "ERR-00-003",
  "NOT_FOUND": "ERR-00-004",
  "VALIDATION_FAILED": "ERR-00-005",
  "MALFORMED_JSON": "ERR-00-006",
  "PAYLOAD_TOO_LARGE": "ERR-00-007",
  "RATE_LIMITED": "ERR-00-008",
  "INTERNAL": "ERR-00-009",
  "NOT_READY": "ERR-00-010",
  "IDEMPOTENCY_KEY_REUSED": "ERR-00-011",
  "IDEMPOTENT_REQUEST_IN_PROGRESS": "ERR-00-012",
  "UNSUPPORTED_MEDIA_TYPE": "ERR-00-013",
  "METHOD_NOT_ALLOWED": "ERR-00-014",
  "CONFLICT": "ERR-00-015",
  "OPERATION_IN_PROGRESS": "ERR-00-016",
  "HOST_UNREACHABLE": "ERR-00-017",
  "HOST_REFUSED": "ERR-00-018",
  "DEADLINE_PASSED": "ERR-00-019",
  "PRECONDITION_FAILED": "ERR-00-020",
  "IN_USE": "ERR-00-021",
  "INVALID_CREDENTIALS": "ERR-00-022",
  "REGISTRATION_CLOSED": "ERR-00-023",
  "SLUG_TAKEN": "ERR-00-024",
  "SLUG_RESERVED": "ERR-00-025",
  "WRONG_STATE": "ERR-00-026",
  "DEVICE_AUTHORIZATION": "ERR-00-027",
  "PROVISION_EXPIRED": "ERR-00-028",
  "LOG_TOKEN_INVALID": "ERR-00-029",
  "UNKNOWN_CHAIN": "ERR-00-030",
  "STEP_UP_REQUIRED": "ERR-00-031",
  "SECOND_FACTOR_REQUIRED": "ERR-00-032",
  "SSO_REQUIRED": "ERR-00-033",
  "EMAIL_UNVERIFIED": "ERR-00-034",
  "LINK_INVALID": "ERR-00-035",
  "SIGN_IN_EXPIRED": "ERR-00-036",
  "WRONG_CODE": "ERR-00-037",
  "LAST_OWNER": "ERR-00-038",
  "INVITED_ALREADY": "ERR-00-039",
  "WRONG_ACCOUNT": "ERR-00-040",
  "DOMAIN_UNVERIFIED": "ERR-00-041",
  "SSO_FAILED": "ERR-00-042",
  "SECOND_FACTOR_MISSING": "ERR-00-043",
  "CVM_PROTECTED": "ERR-00-044",
  "UPSTREAM_UNREACHABLE": "ERR-00-045",
  "NODE_NOT_FOUND": "ERR-01-001",
  "COMPOSE_FILE_REQUIRED": "ERR-01-002",
  "INVALID_COMPOSE_FILE": "ERR-01-003",
  "DUPLICATE_CVM_NAME": "ERR-01-004",
  "HASH_REGISTRATION_REQUIRED": "ERR-01-005",
  "HASH_INVALID_OR_EXPIRED": "ERR-01-006",
  "TX_VERIFICATION_FAILED": "ERR-01-007",
  "HASH_NOT_ALLOWED": "ERR-01-008",
  "INSTANCE_TYPE_NOT_FOUND": "ERR-02-001",
  "RESOURCE_NOT_AVAILABLE": "ERR-02-002",
  "INSUFFICIENT_VCPU": "ERR-02-003",
  "INSUFFICIENT_MEMORY": "ERR-02-004",
  "INSUFFICIENT_SLOTS": "ERR-02-005",
  "GPU_ALLOCATION_ERROR": "ERR-02-006",
  "INSUFFICIENT_GPU": "ERR-02-007",
  "INVALID_REQUEST": "ERR-02-008",
  "INCOMPATIBLE_CONFIG": "ERR-02-009",
  "IMAGE_NOT_FOUND": "ERR-02-010",
  "KMS_NOT_FOUND": "ERR-02-011",
  "TEEPOD_NOT_ACCESSIBLE": "ERR-02-012",
  "OS_IMAGE_NOT_COMPATIBLE": "ERR-02-013",
  "NODE_CAPACITY_NOT_CONFIGURED": "ERR-02-014",
  "QUOTA_EXCEEDED": "ERR-02-015",
  "GPU_BUSY": "ERR-02-016",
  "CVM_NOT_FOUND": "ERR-03-001",
  "MULTIPLE_CVMS_SAME_NAME": "ERR-03-002",
  "CVM_NOT_IN_WORKSPACE": "ERR-03-003",
  "CVM_NOT_VISIBLE": "ERR-03-004",
  "CVM_ACCESS_DENIED": "ERR-03-005",
  "REPLICA_IMAGE_NOT_AVAILABLE": "ERR-03-006",
  "CVM_APP_ID_CONFLICT": "ERR-03-007",
  "REPLICA_SOURCE_NOT_FOUND": "ERR-03-008",
  "REPLICA_HASH_REQUIRED": "ERR-03-009",
  "AMBIGUOUS_CVM": "ERR-03-010",
  "INSUFFICIENT_BALANCE": "ERR-04-001",
  "MAX_CVM_LIMIT": "ERR-04-002",
  "RESOURCE_LIMIT_EXCEEDED": "ERR-04-003",
  "TOKEN_LIMIT_EXCEEDED": "ERR-05-001",
  "TOKEN_RATE_LIMIT": "ERR-05-002",
  "OAUTH_EMAIL_INVALID": "ERR-06-001",
  "SECOND_FACTOR_NEEDED": "ERR-07-001",
  "CONFIRMATION_NEEDED": "ERR-07-002",
  "WEBHOOK_LIMIT": "ERR-07-003",
  "VIEWING_AS": "ERR-08-001",
  "LAST_PLATFORM_ADMIN": "ERR-08-002"
} as const;

export type ProblemName = keyof typeof problemCodes;

/** Names of properties marked x-secret (or x-redact) in the document: never logged. May only grow. */
export const secretFields: readonly string[] = [
  "ComposeText",
  "RecoveryCodeList",
  "ScriptText",
  "access_token",
  "anyOf",
  "app_compose",
  "authorization_url",
  "bash_script",
  "ciphertext",
  "client_secret",
  "code",
  "compose_file",
  "container_log_base",
  "credential",
  "current_password",
  "device_code",
  "docker_compose_file",
  "encrypted_env",
  "envelope",
  "init_script",
  "invitation_token",
  "link_code",
  "log_endpoint",
  "new_password",
  "otpauth_url",
  "parameters",
  "password",
  "pre_launch_script",
  "previous_secret",
  "secret",
  "serial",
  "state",
  "stderr",
  "stdout",
  "syslog_endpoint",
  "text",
  "token",
  "user_config",
  "wrapped_key"
];
