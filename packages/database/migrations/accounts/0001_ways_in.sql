CREATE TABLE "accounts"."audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts"."audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_uid" integer,
	"action" text NOT NULL,
	"target_uid" integer,
	"address" text DEFAULT '' NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts"."codes" (
	"purpose" text NOT NULL,
	"target" text NOT NULL,
	"code_hmac" text NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"sent_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "codes_purpose_target_pk" PRIMARY KEY("purpose","target")
);
--> statement-breakpoint
CREATE TABLE "accounts"."devices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" bigint NOT NULL,
	"token_hash" text NOT NULL,
	"previous_hash" text,
	"rotated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "devices_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "accounts"."identities" (
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" bigint NOT NULL,
	"refresh_token" text,
	"linked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identities_provider_subject_pk" PRIMARY KEY("provider","subject")
);
--> statement-breakpoint
CREATE TABLE "accounts"."outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts"."outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"body" text NOT NULL,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts"."passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] DEFAULT '{}' NOT NULL,
	"name" text NOT NULL,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "accounts"."recovery_codes" (
	"user_id" bigint NOT NULL,
	"code_hmac" text NOT NULL,
	CONSTRAINT "recovery_codes_user_id_code_hmac_pk" PRIMARY KEY("user_id","code_hmac")
);
--> statement-breakpoint
CREATE TABLE "accounts"."tickets" (
	"ticket_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" bigint,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts"."totps" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"sealed_secret" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts"."used_device_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts"."users" ALTER COLUMN "username" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."users" ALTER COLUMN "username_key" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."users" ALTER COLUMN "password_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."sessions" ADD COLUMN "public_id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."sessions" ADD COLUMN "device_id" uuid;--> statement-breakpoint
ALTER TABLE "accounts"."sessions" ADD COLUMN "address" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."sessions" ADD COLUMN "user_agent" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."sessions" ADD COLUMN "proven_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."sessions" ADD COLUMN "second_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."settings" ADD COLUMN "register_by_name" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."settings" ADD COLUMN "register_by_email" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."settings" ADD COLUMN "register_by_phone" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."settings" ADD COLUMN "editors_need_second_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."settings" ADD COLUMN "tell_unknown_accounts" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."settings" ADD COLUMN "session_in_address" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "email_key" text;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "phone" text;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "member_version" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "member_level" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "balance" numeric(20, 8) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "sex" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "birthday" date;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "real_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "qq" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "province" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "city" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "description" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "source_uid" integer;--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounts"."devices" ADD CONSTRAINT "devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "accounts"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts"."identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "accounts"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts"."passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "accounts"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts"."recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "accounts"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts"."tickets" ADD CONSTRAINT "tickets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "accounts"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts"."totps" ADD CONSTRAINT "totps_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "accounts"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts"."used_device_tokens" ADD CONSTRAINT "used_device_tokens_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "accounts"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_at" ON "accounts"."audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_target_uid" ON "accounts"."audit" USING btree ("target_uid","at");--> statement-breakpoint
CREATE INDEX "devices_user_id" ON "accounts"."devices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "devices_previous_hash" ON "accounts"."devices" USING btree ("previous_hash");--> statement-breakpoint
CREATE INDEX "identities_user_id" ON "accounts"."identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "outbox_made_at" ON "accounts"."outbox" USING btree ("made_at");--> statement-breakpoint
CREATE INDEX "passkeys_user_id" ON "accounts"."passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "tickets_user_id" ON "accounts"."tickets" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "tickets_expires_at" ON "accounts"."tickets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "used_device_tokens_device_id" ON "accounts"."used_device_tokens" USING btree ("device_id");--> statement-breakpoint
ALTER TABLE "accounts"."sessions" ADD CONSTRAINT "sessions_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "accounts"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_device_id" ON "accounts"."sessions" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "users_deleted_at" ON "accounts"."users" USING btree ("deleted_at") WHERE "accounts"."users"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "users_registered_at" ON "accounts"."users" USING btree ("registered_at","id");--> statement-breakpoint
ALTER TABLE "accounts"."sessions" ADD CONSTRAINT "sessions_public_id_unique" UNIQUE("public_id");--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD CONSTRAINT "users_email_key_unique" UNIQUE("email_key");--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD CONSTRAINT "users_phone_unique" UNIQUE("phone");--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD CONSTRAINT "users_sex_known" CHECK ("accounts"."users"."sex" between 0 and 2);--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD CONSTRAINT "users_name_with_key" CHECK (("accounts"."users"."username" is null) = ("accounts"."users"."username_key" is null));--> statement-breakpoint
ALTER TABLE "accounts"."users" ADD CONSTRAINT "users_email_with_key" CHECK (("accounts"."users"."email" is null) = ("accounts"."users"."email_key" is null));