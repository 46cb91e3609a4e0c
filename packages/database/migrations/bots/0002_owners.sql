CREATE TABLE "bots"."workers" (
	"id" serial PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"exchange" text NOT NULL,
	"mode" text NOT NULL,
	"url" text NOT NULL,
	"seen_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bots"."bots" ADD COLUMN "run" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bots"."snapshots" ADD COLUMN "worker" integer;