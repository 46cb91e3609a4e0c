CREATE SCHEMA "accounts";
--> statement-breakpoint
CREATE TABLE "accounts"."rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "accounts"."sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"began_at" timestamp with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts"."settings" (
	"single" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"password_least" smallint DEFAULT 8 NOT NULL,
	CONSTRAINT "settings_single" CHECK ("accounts"."settings"."single"),
	CONSTRAINT "settings_password_least" CHECK ("accounts"."settings"."password_least" between 6 and 128)
);
--> statement-breakpoint
CREATE TABLE "accounts"."setup_link" (
	"single" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"token_hash" text NOT NULL,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "setup_link_single" CHECK ("accounts"."setup_link"."single")
);
--> statement-breakpoint
CREATE TABLE "accounts"."users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts"."users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uid" integer NOT NULL,
	"username" text NOT NULL,
	"username_key" text NOT NULL,
	"nick_name" text NOT NULL,
	"password_hash" text NOT NULL,
	"group_id" smallint,
	"registered_at" timestamp with time zone DEFAULT now() NOT NULL,
	"logged_in_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_uid_unique" UNIQUE("uid"),
	CONSTRAINT "users_username_key_unique" UNIQUE("username_key"),
	CONSTRAINT "users_group_id_known" CHECK ("accounts"."users"."group_id" between 1 and 4)
);
--> statement-breakpoint
ALTER TABLE "accounts"."sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "accounts"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_user_id" ON "accounts"."sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_group_id" ON "accounts"."users" USING btree ("group_id") WHERE "accounts"."users"."group_id" is not null;--> statement-breakpoint
INSERT INTO "accounts"."settings" DEFAULT VALUES;
