(** * Bits of 63-bit integers

    [bit x k] is bit [k] of [x]. What the checker's operations do is said here bit by bit; the
    axioms behind it are those that Rocq's library gives for the processor's instructions. *)
From Coq Require Import ZArith List Uint63 Lia Bool.
From ConnectFour Require Import Check.
Import ListNotations.
Local Open Scope Z_scope.

Definition bit (x : int) (k : Z) : bool := Z.testbit (to_Z x) k.

Lemma bit_land x y k : bit (x land y)%uint63 k = bit x k && bit y k.
Proof. unfold bit. now rewrite land_spec', Z.land_spec. Qed.
Lemma bit_lor x y k : bit (x lor y)%uint63 k = bit x k || bit y k.
Proof. unfold bit. now rewrite lor_spec', Z.lor_spec. Qed.
Lemma bit_lxor x y k : bit (x lxor y)%uint63 k = xorb (bit x k) (bit y k).
Proof. unfold bit. now rewrite lxor_spec', Z.lxor_spec. Qed.

Lemma bit_range x k : bit x k = true -> 0 <= k < 63.
Proof.
  unfold bit. intro B. pose proof (to_Z_bounded x) as R. change wB with (2 ^ 63) in R.
  destruct (Z.ltb_spec k 0); [rewrite Z.testbit_neg_r in B; easy|].
  destruct (Z.ltb_spec k 63); [lia|].
  rewrite <- (Z.mod_small _ _ R), Z.mod_pow2_bits_high in B; [discriminate|lia].
Qed.

Lemma bit_lsl x d k : k < 63 -> bit (x << d)%uint63 k = bit x (k - to_Z d).
Proof.
  intro. unfold bit. rewrite lsl_spec. change wB with (2 ^ 63). pose proof (to_Z_bounded d).
  rewrite Z.mod_pow2_bits_low, Z.mul_pow2_bits by lia. reflexivity.
Qed.
Lemma bit_lsr x d k : 0 <= k -> bit (x >> d)%uint63 k = bit x (k + to_Z d).
Proof.
  intro. unfold bit. rewrite lsr_spec. pose proof (to_Z_bounded d).
  apply Z.div_pow2_bits; lia.
Qed.

Lemma zero_true x k : zero x = true -> bit x k = false.
Proof. intro Z. apply Uint63.eqb_spec in Z. subst. apply Z.bits_0. Qed.

(** The lowest bit, as [tail0] finds it. *)
Lemma bit_tail0 x : zero x = false -> bit x (to_Z (tail0 x)) = true.
Proof.
  intro Z. assert (P : 0 < to_Z x).
  { pose proof (to_Z_bounded x). enough (to_Z x <> 0) by lia. intro E.
    apply Uint63.eqb_false_spec in Z. now apply Z, to_Z_inj. }
  destruct (tail0_spec x P) as (y & _ & E). unfold bit. rewrite E.
  rewrite Z.mul_pow2_bits, Z.sub_diag by apply to_Z_bounded. apply Z.testbit_odd_0.
Qed.
Lemma zero_false x : zero x = false <-> exists k, bit x k = true.
Proof.
  split; [intro; eauto using bit_tail0|].
  intros [k B]. destruct (zero x) eqn:Z; [|reflexivity]. now rewrite (zero_true _ k Z) in B.
Qed.

Lemma bit_single b k : bit (1 << b)%uint63 k = true <-> k = to_Z b /\ k < 63.
Proof.
  split.
  - intro B. pose proof (bit_range _ _ B). rewrite bit_lsl in B by lia. split; [|lia].
    unfold bit in B. change (to_Z 1) with (2 ^ 0) in B.
    destruct (Z.eq_dec (k - to_Z b) 0); [lia|]. rewrite Z.pow2_bits_false in B; [discriminate|lia].
  - intros [-> L]. rewrite bit_lsl, Z.sub_diag by assumption. reflexivity.
Qed.
Lemma bit_put p b k : bit (put p b) k = true <-> bit p k = true \/ k = to_Z b /\ k < 63.
Proof. unfold put. now rewrite bit_lor, orb_true_iff, bit_single. Qed.

(** The whole numbers up to [n]; what a program finds for each of them holds for all. *)
Lemma in_range n k : In k (range n) <-> 1 <= k <= n.
Proof.
  unfold range. rewrite in_map_iff. split.
  - intros (x & <- & X). apply in_seq in X. lia.
  - intro. exists (Z.to_nat k). rewrite in_seq. lia.
Qed.
Lemma all_tried (f : Z -> bool) n : forallb f (range n) = true ->
  forall k, 1 <= k <= n -> f k = true.
Proof. rewrite forallb_forall. intros A k K. now apply A, in_range. Qed.

Lemma of_to_small n : 0 <= n <= 63 -> to_Z (of_Z n) = n.
Proof. intro. rewrite of_Z_spec. apply Z.mod_small. change wB with (2 ^ 63). lia. Qed.
