CREATE TABLE "accounts"."paired_hosts" (
	"user_id" bigint NOT NULL,
	"id" text NOT NULL,
	"instance" uuid NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"port" integer NOT NULL,
	"identity" text NOT NULL,
	"sealed_key" text NOT NULL,
	"version" text NOT NULL,
	"paired_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "paired_hosts_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "paired_hosts_once" UNIQUE("user_id","instance")
);
--> statement-breakpoint
ALTER TABLE "accounts"."paired_hosts" ADD CONSTRAINT "paired_hosts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "accounts"."users"("id") ON DELETE cascade ON UPDATE no action;