CREATE TABLE "accounts"."notify_channels" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"sealed_target" text,
	"language" text NOT NULL,
	"proven_at" timestamp with time zone,
	"code_hmac" text,
	"code_expires_at" timestamp with time zone,
	"code_tries" smallint DEFAULT 0 NOT NULL,
	"failing_since" timestamp with time zone,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts"."notify_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts"."notify_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel_id" uuid NOT NULL,
	"notice_id" text NOT NULL,
	"join_key" text NOT NULL,
	"notice" jsonb NOT NULL,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"done_at" timestamp with time zone,
	"sent" boolean DEFAULT false NOT NULL,
	CONSTRAINT "notify_deliveries_once" UNIQUE("channel_id","notice_id")
);
--> statement-breakpoint
CREATE TABLE "accounts"."notify_rules" (
	"channel_id" uuid NOT NULL,
	"bot" text NOT NULL,
	"kinds" text[] NOT NULL,
	CONSTRAINT "notify_rules_channel_id_bot_pk" PRIMARY KEY("channel_id","bot")
);
--> statement-breakpoint
ALTER TABLE "accounts"."notify_channels" ADD CONSTRAINT "notify_channels_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "accounts"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts"."notify_deliveries" ADD CONSTRAINT "notify_deliveries_channel_id_notify_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "accounts"."notify_channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts"."notify_rules" ADD CONSTRAINT "notify_rules_channel_id_notify_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "accounts"."notify_channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notify_channels_user_id" ON "accounts"."notify_channels" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "notify_deliveries_due" ON "accounts"."notify_deliveries" USING btree ("next_at") WHERE done_at is null;--> statement-breakpoint
CREATE INDEX "notify_deliveries_key" ON "accounts"."notify_deliveries" USING btree ("channel_id","join_key","made_at");--> statement-breakpoint
CREATE INDEX "notify_deliveries_done" ON "accounts"."notify_deliveries" USING btree ("done_at") WHERE done_at is not null;